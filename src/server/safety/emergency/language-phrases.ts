import type { EmergencyKind } from './kinds.ts'

/**
 * Phrases of a language as patterns over the folded words of a sentence, without apostrophes and punctuation: regular expressions in
 * which `..` stands for up to four words (in scripts without spaces up to eight characters), `*` for the rest of a word, `(a|b)` for a
 * choice, `{name}` for a slot, and `«a|b»` for a sentence that is nothing else but words of the slot `beside`. A phrase begins and ends at
 * a word, except in scripts without spaces.
 */
export interface LanguagePhrases {
  slots?: Readonly<Record<string, string>>
  phrases: Readonly<Record<EmergencyKind, readonly string[]>>
  /** Beginnings of questions that are about something else, and words that show it anywhere: the sentence then counts for self-harm alone. */
  calm: { beginnings: readonly string[]; words: readonly string[] }
}
