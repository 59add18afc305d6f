import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse } from 'yaml'

/** One line of a training file: sentences that differ in a word or two. */
export interface TrainingLine {
  language: string
  kind: string
  variants: readonly string[]
}

const MESSAGES = join(import.meta.dirname, '../../src/ui/language/messages')
const FOLDER = join(import.meta.dirname, 'training')
/** Sentences by other authors. */
const AUTHORS = ['training/de', 'training/en', 'town', 'city', 'more/es', 'more/it', 'more/pt', 'more/ru', 'seen']
const ALTERNATIVES = /\(([^()]*)\)/g
const MAX_VARIANTS = 12

/**
 * The lines of `training/<language>.txt` and `<language>-2.txt`, and the sentences of other sets that aren't held back. `[kind]`
 * begins a section, `#` a comment; `(a|b)` in a line stands for one of the two, and `(|a)` for a word or nothing. Of a line with many
 * combinations twelve are taken, spread evenly.
 */
export function trainingLines(): TrainingLine[] {
  const lines = readdirSync(FOLDER)
    .filter((file) => file.endsWith('.txt'))
    .toSorted()
    .flatMap((file) => linesOf(file.replace(/(-\d+)?\.txt$/, ''), readFileSync(join(FOLDER, file), 'utf8')))
  return [...lines, ...AUTHORS.flatMap(sentencesOf)]
}

function sentencesOf(file: string): TrainingLine[] {
  const sentences = parse(readFileSync(join(import.meta.dirname, `${file}.yaml`), 'utf8')) as {
    text: string
    language: string
    kind: string
  }[]
  return sentences.map(({ text, language, kind }) => ({ language, kind, variants: [text] }))
}

function linesOf(language: string, text: string): TrainingLine[] {
  let kind = 'none'
  const lines: TrainingLine[] = []
  for (const line of text.split('\n').map((one) => one.trim())) {
    const section = /^\[(\w+)\]$/.exec(line)?.[1]
    if (section) kind = section
    else if (line !== '' && !line.startsWith('#')) lines.push({ language, kind, variants: variantsOf(line) })
  }
  return lines
}

function variantsOf(line: string): string[] {
  const choices = [...line.matchAll(ALTERNATIVES)].map(([, alternatives = '']) => alternatives.split('|'))
  const count = Math.min(MAX_VARIANTS, Math.max(1, ...choices.map(({ length }) => length)) * (choices.length > 1 ? 2 : 1))
  return Array.from({ length: count }, (_, variant) => {
    let group = 0
    return line
      .replace(ALTERNATIVES, () => {
        const alternatives = choices[group] ?? ['']
        group += 1
        // Groups of equal size move on at different speeds, so that they don't always show the same pairs.
        return alternatives[(variant + Math.floor((variant * (group - 1)) / Math.max(1, alternatives.length))) % alternatives.length] ?? ''
      })
      .replace(/\s+/g, ' ')
      .trim()
  })
}

/** Sentences of the page in every language, which are no emergencies. */
export function pageSentences(): string[] {
  return readdirSync(MESSAGES)
    .toSorted()
    .flatMap((file) => {
      const messages = JSON.parse(readFileSync(join(MESSAGES, file), 'utf8')) as Record<string, string | Record<string, string>>
      const translated = Object.values(messages).flatMap((message) => (typeof message === 'string' ? [message] : Object.values(message)))
      return file === 'de.json' ? [...Object.keys(messages), ...translated] : translated
    })
}

/** Sets of other detectors whose harmless texts may be read, and the field that holds them. */
const ORDINARY = [
  ['emergency/ordinary/questions-seen', 'text'],
  ['emergency/ordinary/questions-more', 'text'],
  ['builtin/seen', 'prompt'],
  ['builtin/stranger-seen', 'prompt'],
  ['personal-data/seen', 'text'],
  ['emergency/ordinary/seen', 'text'],
  ['emergency/ordinary/sentences-seen', 'sentence'],
] as const

/** What visitors of an office ask on other days. */
export function ordinarySentences(): string[] {
  return ORDINARY.flatMap(([set, field]) => textsOf(set, field))
}

/** That field of every row of a set in `eval`. */
export function textsOf(set: string, field: string): string[] {
  const rows = parse(readFileSync(join(import.meta.dirname, `../${set}.yaml`), 'utf8')) as Record<string, unknown>[]
  return rows.map((row) => row[field]).filter((text) => typeof text === 'string')
}

/** Changes with every sentence that is trained on. */
export function checksumOf(lines: readonly TrainingLine[]): number {
  return createHash('sha256')
    .update(JSON.stringify(lines.map(({ kind, variants }) => [kind, variants])))
    .digest()
    .readUInt32LE(0)
}
