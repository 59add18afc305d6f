import { normalizeText } from '../emergency/normalize-text.ts'

/** The pattern of a phrase of words, for a text with single spaces between words and around it. */
export function wordPattern(phrase: string): string {
  const runs = phrase.split('_').map((run) => run.split('-').map(anyEnding).join(' '))
  return ` (?:${runs.join('(?: [^ ]+){0,2} ')})(?= )`
}

/** The pattern of a phrase in a script whose words have no reliable borders: anywhere, with up to twelve characters at each `_`. */
export function anywherePattern(phrase: string): string {
  return phrase
    .split('_')
    .map((piece) => normalizeText(piece).trim())
    .filter((piece) => piece !== '')
    .join('.{0,12}?')
}

const anyEnding = (word: string) => word.replaceAll('*', '[^ ]*')
