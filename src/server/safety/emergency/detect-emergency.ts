import { classify } from './classifier/classify.ts'
import { MAX_WINDOW_CHARACTERS } from './classifier/features.ts'
import type { EmergencyKind } from './phrase-rules.ts'
import { type ReadSentence, readSentences } from './read-sentences.ts'

/** Sentences that are also classified together, because one alone may say too little. */
const WINDOW = 3
const PIECES = new RegExp(`.{1,${MAX_WINDOW_CHARACTERS / WINDOW}}(?:\\s|$)|.{1,${MAX_WINDOW_CHARACTERS / WINDOW}}`, 'gu')

/**
 * The kind of emergency that a text describes, in one of the languages of the page; `null` for none. A trained classifier decides, for
 * which a match of the phrase rules is one feature. Takes time that is linear in the length of the text; reads the beginning and the end
 * of a long one.
 */
export function detectEmergency(text: string): EmergencyKind | null {
  if (text !== last.text) last = { text, kind: emergencyIn(text) }
  return last.kind
}

/** The last text: several checks of one prompt ask about it. */
let last: { text: string; kind: EmergencyKind | null } = { text: '', kind: null }

function emergencyIn(text: string): EmergencyKind | null {
  const pieces = readSentences(text).flatMap(piecesOf)
  // Other sentences of the same prompt would hide it.
  for (const { text: alone, phraseKind } of pieces) {
    const kind = classify(alone, phraseKind)
    if (kind) return kind
  }
  if (pieces.length < 2) return null
  for (let start = 0; start < pieces.length; start += WINDOW - 1) {
    const window = pieces.slice(start, start + WINDOW)
    const phraseKind = window.map((piece) => piece.phraseKind).find((kind) => kind !== null) ?? null
    const kind = classify(window.map((piece) => piece.text).join(' '), phraseKind)
    if (kind) return kind
    if (start + WINDOW >= pieces.length) break
  }
  return null
}

function piecesOf({ text, phraseKind }: ReadSentence): ReadSentence[] {
  return (text.match(PIECES) ?? []).map((piece) => ({ text: piece.trim(), phraseKind }))
}
