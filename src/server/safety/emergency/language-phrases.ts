import type { EmergencyKind } from './kinds.ts'

/**
 * Phrases of a language, at most 15, as regular expressions over folded text without apostrophes and punctuation. `{name}` stands for a
 * slot of the language. A phrase begins and ends at a word, except in scripts without spaces and where it ends in `…`.
 */
export interface LanguagePhrases {
  slots: Readonly<Record<string, string>>
  phrases: Readonly<Record<EmergencyKind, readonly string[]>>
}
