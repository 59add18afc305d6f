import type { FoundPassage } from '../../knowledge/retrieval/search.ts'

/**
 * Fitted on questions that passages answer and don't: the sets of eval/small, so that nearly no question that they answer is below. Above,
 * a small model says whether they do (`findsAnswer`).
 */
const RELEVANCE_WEIGHT = 0.3
const MIN_CONFIDENCE = 0.09
/** Without a word of the prompt, as in another language. */
const MIN_CLOSENESS_ALONE = 0.08
/** Words alone mean little, where few passages have any. */
const MIN_CLOSENESS = 0.02
/** Without vectors. */
const MIN_RELEVANCE = 0.25

type Rated = Pick<FoundPassage, 'relevance' | 'closeness'>

/** Whether passages may be about the prompt. */
export function areAbout(passages: readonly Rated[]): boolean {
  const relevance = Math.max(0, ...passages.map((passage) => passage.relevance))
  const closenesses = passages.flatMap(({ closeness }) => closeness ?? [])
  if (closenesses.length === 0) return relevance >= MIN_RELEVANCE
  const closeness = Math.max(...closenesses)
  return closeness >= MIN_CLOSENESS_ALONE || (closeness >= MIN_CLOSENESS && closeness + RELEVANCE_WEIGHT * relevance >= MIN_CONFIDENCE)
}
