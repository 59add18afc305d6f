import { fieldCountsOf, type KnowledgeIndex } from '../index/knowledge-index.ts'
import type { QueryWord } from './query.ts'

/** A word in the heading tells more than one in the text. */
const FIELD_WORTH = { heading: 1, keywords: 1, path: 0.75, title: 0.75, body: 0.7 } as const

/** How much of the query a passage covers, from 0 to 1, rare words counting more and words that no passage has most. */
export function relevanceOf(index: KnowledgeIndex, words: readonly QueryWord[], passage: number): number {
  let covered = 0
  let total = 0
  for (const { terms, weight } of words) {
    const frequency = Math.max(...terms.map(({ term }) => index.frequencyOf(term)))
    const importance = weight * Math.log(1 + index.size / (1 + frequency))
    total += importance
    covered += importance * Math.max(...terms.map(({ term, weight: kindWeight }) => kindWeight * worthOf(index.weightOf(term, passage))))
  }
  return total === 0 ? 0 : covered / total
}

function worthOf(weight: number | undefined): number {
  if (weight === undefined) return 0
  const counts = fieldCountsOf(weight)
  return Math.max(0, ...Object.entries(FIELD_WORTH).map(([field, worth]) => (counts[field as keyof typeof counts] > 0 ? worth : 0)))
}
