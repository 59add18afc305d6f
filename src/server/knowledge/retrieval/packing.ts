import { trimmedAtSentence } from '../../../text/sentences.ts'

/** Shorter trimmed passages are useless. */
const MIN_TRIMMED_CHARACTERS = 200

/**
 * As many passages as fit, best first; the last is trimmed at a sentence. Breadcrumbs count too. The first passage is always
 * included, at least in part.
 */
export function packed<T extends { text: string; breadcrumb: string }>(passages: readonly T[], maxCharacters: number): T[] {
  const result: T[] = []
  let left = maxCharacters
  for (const passage of passages) {
    const room = left - passage.breadcrumb.length
    if (passage.text.length <= room) {
      result.push(passage)
      left = room - passage.text.length
      continue
    }
    if (room >= MIN_TRIMMED_CHARACTERS || result.length === 0)
      result.push({ ...passage, text: trimmedAtSentence(passage.text, Math.max(1, room)) })
    break
  }
  return result
}
