import type { PromptPassage } from './find-passages.ts'

/**
 * Fitted on questions that passages answer and don't: `quoted` on halves of XQuAD, also in other languages, MTRAG's government passages,
 * prompts to a bank's service, and eval/small/debian-faq.yaml, whose passages are all about one thing; `asked`, so that nearly no question
 * that they answer is below it, on the sets of eval/small, since the model says itself whether they do (`findsAnswer`).
 */
const RELEVANCE_WEIGHT = 0.3
const MIN_CONFIDENCE = { asked: 0.09, quoted: 0.1675 }
/** Without a word of the prompt, as in another language. */
const MIN_CLOSENESS_ALONE = { asked: 0.08, quoted: 0.1 }
/** Words alone mean little, where few passages have any. */
const MIN_CLOSENESS = { asked: 0.02, quoted: 0.04 }
/** Without vectors. */
const MIN_RELEVANCE = { asked: 0.25, quoted: 0.42 }

export type Coverage = 'none' | 'asked' | 'quoted'

type Rated = Pick<PromptPassage, 'relevance' | 'closeness' | 'isByEarlier'>

/**
 * Whether the passages are about the prompt: so much that the best one can be quoted, or only that a model can be asked.
 */
export function coverageOf(passages: readonly Rated[]): Coverage {
  const own = ratingOf(passages.filter(({ isByEarlier }) => !isByEarlier))
  if (own === 'quoted') return own
  return ratingOf(passages) === 'none' ? 'none' : 'asked'
}

/** How much a passage is about the prompt, by meaning and words. */
export function confidenceIn({ closeness, relevance }: Rated): number {
  return (closeness ?? 0) + RELEVANCE_WEIGHT * relevance
}

function ratingOf(passages: readonly Rated[]): Coverage {
  const relevance = Math.max(0, ...passages.map((passage) => passage.relevance))
  const closenesses = passages.flatMap(({ closeness }) => closeness ?? [])
  if (closenesses.length === 0) return relevance >= MIN_RELEVANCE.quoted ? 'quoted' : relevance >= MIN_RELEVANCE.asked ? 'asked' : 'none'
  const closeness = Math.max(...closenesses)
  const confidence = closeness + RELEVANCE_WEIGHT * relevance
  const isOver = (level: 'asked' | 'quoted') =>
    closeness >= MIN_CLOSENESS_ALONE[level] || (closeness >= MIN_CLOSENESS[level] && confidence >= MIN_CONFIDENCE[level])
  return isOver('quoted') ? 'quoted' : isOver('asked') ? 'asked' : 'none'
}
