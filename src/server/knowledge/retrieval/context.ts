import type { KnowledgeIndex } from '../index/knowledge-index.ts'
import type { RankingParameters } from './scores.ts'

/**
 * Scores of passages with what stands around them: a share of the better neighbour's score and of the document's best, on the scale of the scores. A question often
 * has words that only the passage before or another section of the same page has.
 */
export function withContext(index: KnowledgeIndex, scores: Float32Array, { neighbour, document }: RankingParameters): Float32Array {
  const result = new Float32Array(scores.length)
  for (const { passages } of index.documents.values()) {
    let best = 0
    for (const number of passages) best = Math.max(best, scores[number] as number)
    if (best === 0) continue
    for (const [at, number] of passages.entries()) {
      const score = scores[number] as number
      if (score === 0) continue
      const beside = Math.max(
        at > 0 ? (scores[passages[at - 1] as number] as number) : 0,
        at + 1 < passages.length ? (scores[passages[at + 1] as number] as number) : 0,
      )
      result[number] = Math.max(result[number] as number, (score + neighbour * beside + document * best) / (1 + neighbour + document))
    }
  }
  return result
}
