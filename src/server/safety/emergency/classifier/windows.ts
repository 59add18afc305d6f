import { normalizeText } from './normalize-text.ts'
import { MAX_WINDOW_CHARACTERS } from './features.ts'

const MAX_SENTENCES = 60
/** Separates sentences; commas don't. */
const SENTENCE_END = /[.!?。！？؟।\n;]+/u
/** Sentences that are also classified together, because one alone may say too little. */
const WINDOW = 3
const PIECE = `.{1,${MAX_WINDOW_CHARACTERS / WINDOW}}`
const PIECES = new RegExp(`${PIECE}(?:\\s|$)|${PIECE}`, 'gu')

/** The pieces of a text that are classified, normalised: each sentence alone, then with its neighbours; of many sentences those at both ends. */
export function windowsOf(text: string): string[] {
  const pieces = normalizeText(text)
    .split(SENTENCE_END)
    .map((sentence) => sentence.trim())
    .filter((sentence) => sentence !== '')
    .filter((_, index, all) => index < MAX_SENTENCES / 2 || index >= all.length - MAX_SENTENCES / 2)
    .flatMap((sentence) => (sentence.match(PIECES) ?? []).map((piece) => piece.trim()))
  const together: string[] = []
  for (let start = 0; pieces.length > 1 && start < pieces.length; start += WINDOW - 1) {
    together.push(pieces.slice(start, start + WINDOW).join(' '))
    if (start + WINDOW >= pieces.length) break
  }
  return [...pieces, ...together]
}
