import { readdir, readFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { PageLanguage } from '../../contract/page-languages.ts'

/** Translates a sentence and fills in its `{values}`. */
export type Translate = (english: string, values?: Readonly<Record<string, string>>) => string

export type Messages = Readonly<Record<string, string>>

const FOLDER = fileURLToPath(new URL('./messages', import.meta.url))

export const TRANSLATIONS: ReadonlyMap<string, Messages> = await readTranslations()

/** Composes a text in a language (a primary tag of BCP 47); all in English if any sentence lacks a translation. */
export function translateInto<T>(
  wanted: string | undefined,
  compose: (translate: Translate, language: string) => T,
): { text: T; language: string } {
  const words = wanted === undefined ? undefined : TRANSLATIONS.get(wanted)
  if (wanted === undefined || !words) return { text: compose(filled, 'en'), language: 'en' }
  let isWhole = true
  const text = compose((english, values) => {
    const sentence = words[english]
    isWhole &&= sentence !== undefined
    return filled(sentence ?? english, values)
  }, wanted)
  return isWhole ? { text, language: wanted } : translateInto(undefined, compose)
}

/** A sentence of the page's languages with its `{values}`; in English without a language. */
export function translated(english: string, language: PageLanguage | null, values?: Readonly<Record<string, string>>): string {
  return filled((language && TRANSLATIONS.get(language)?.[english]) ?? english, values)
}

function filled(sentence: string, values: Readonly<Record<string, string>> = {}): string {
  return sentence.replaceAll(/\{(\w+)\}/g, (_, name: string) => values[name] ?? '')
}

async function readTranslations(): Promise<Map<string, Messages>> {
  const files = await readdir(FOLDER)
  const entries = files.map(async (name) => [basename(name, '.json'), JSON.parse(await readFile(join(FOLDER, name), 'utf8'))] as const)
  return new Map(await Promise.all(entries))
}
