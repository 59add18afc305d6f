/** Kinds of emergencies. */
export const EMERGENCY_KINDS = ['self_harm', 'poisoning', 'acute_illness', 'violence'] as const
export type EmergencyKind = (typeof EMERGENCY_KINDS)[number]

/**
 * Phrases of a language that describe an emergency, and phrases that tell it from idioms, fiction, statistics and paperwork.
 *
 * A phrase is words joined by `_`, with up to two words between them; `*` at the end of a word stands for any ending. `|` separates
 * phrases of which one is enough, ` + ` separates groups that must all occur in a sentence. A rule that begins with `!` counts even beside
 * a phrase of `unless`, but not beside one of `never`.
 */
export interface PhraseRules extends Record<EmergencyKind, readonly string[]> {
  /** The sentence is about something else, whatever it says. */
  never: string
  /** The sentence is probably about something else. */
  unless: string
  /** Words that are recognised with a letter left out, doubled or swapped. */
  misspelt: string
}
