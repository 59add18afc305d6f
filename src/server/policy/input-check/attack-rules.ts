/** Ways to attack an assistant with a prompt. */
export const ATTACK_KINDS = [
  'override',
  'role_play',
  'system_prompt',
  'document',
  'suppression',
  'harmful',
  'fake_system',
  'encoded',
] as const
export type AttackKind = (typeof ATTACK_KINDS)[number]

/**
 * Phrases of a language by which prompts try to change or read an assistant's instructions.
 *
 * A phrase is words joined by `-` if they are adjacent, by `_` with up to two words between them; `*` at either end of a word stands for
 * any letters. `|` separates phrases of which one is enough, ` + ` separates groups that must all occur in a sentence; of a group
 * that begins with `not:` no phrase may occur. A rule that begins with `!` counts even beside a phrase of `never`.
 */
export interface AttackRules extends Partial<Record<AttackKind, readonly string[]>> {
  /** The sentence reports or asks about something, whatever it says. */
  never: string
}
