import { readdir, readFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** Gives a sentence in some language, its `{values}` filled in. */
export type Translate = (english: string, values?: Readonly<Record<string, string>>) => string

/** Sentences in another language, each by its English. */
export type Messages = Readonly<Record<string, string>>

const FOLDER = fileURLToPath(new URL('./messages', import.meta.url))

/** What the server says to visitors, by language; part of the program, and read with it. */
export const TRANSLATIONS: ReadonlyMap<string, Messages> = await readWords()

/**
 * Tells something in this language (a BCP 47 primary tag), or in English where a sentence of it is not translated: what is read as one
 * text is in one language.
 * @param tell Gets the language too, for what `Intl` writes.
 */
export function translateInto<T>(wanted: string | undefined, tell: (say: Translate, language: string) => T): { told: T; language: string } {
  const words = wanted === undefined ? undefined : TRANSLATIONS.get(wanted)
  if (wanted === undefined || !words) return { told: tell(filled, 'en'), language: 'en' }
  let isWhole = true
  const told = tell((english, values) => {
    const sentence = words[english]
    isWhole &&= sentence !== undefined
    return filled(sentence ?? english, values)
  }, wanted)
  return isWhole ? { told, language: wanted } : translateInto(undefined, tell)
}

function filled(sentence: string, values: Readonly<Record<string, string>> = {}): string {
  return sentence.replaceAll(/\{(\w+)\}/g, (_, name: string) => values[name] ?? '')
}

async function readWords(): Promise<Map<string, Messages>> {
  const files = await readdir(FOLDER)
  const entries = files.map(async (name) => [basename(name, '.json'), JSON.parse(await readFile(join(FOLDER, name), 'utf8'))] as const)
  return new Map(await Promise.all(entries))
}
