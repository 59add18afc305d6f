import { normalizeText } from './normalize-text.ts'
import { phraseKindOf } from './phrase-kind.ts'
import type { EmergencyKind } from './phrase-rules.ts'

/** A long text is read at both ends. */
const MAX_READ_CHARACTERS = 4_000
const MAX_SENTENCES = 60
/** Separates sentences; commas don't. */
const SENTENCE_END = /[.!?。！？؟।\n;]+/u
/** A normalised sentence, with what the phrase rules found in it. */
export interface ReadSentence {
  text: string
  phraseKind: EmergencyKind | null
}

/** The kind that the phrase rules alone find. */
export function phraseKindIn(text: string): EmergencyKind | null {
  return readSentences(text).find(({ phraseKind }) => phraseKind !== null)?.phraseKind ?? null
}

/** The sentences of a text, normalised; of a long text those at both ends. */
export function readSentences(text: string): ReadSentence[] {
  const read = text.length <= 2 * MAX_READ_CHARACTERS ? text : `${text.slice(0, MAX_READ_CHARACTERS)}\n${text.slice(-MAX_READ_CHARACTERS)}`
  const sentences = normalizeText(read)
    .split(SENTENCE_END)
    .map((sentence) => sentence.trim())
    .filter((sentence) => sentence !== '')
    .filter((_, index, all) => index < MAX_SENTENCES / 2 || index >= all.length - MAX_SENTENCES / 2)
  return sentences.map((sentence, index) => ({
    text: sentence,
    // What one sentence only suggests, two may say.
    phraseKind: phraseKindOf(sentence) ?? (index > 0 ? phraseKindOf(`${sentences[index - 1]} ${sentence}`) : null),
  }))
}
