import { fieldCountsOf, type KnowledgeIndex } from '../index/knowledge-index.ts'
import type { QueryTerm, QueryWord } from './query.ts'

/** Parameters of BM25F; k1 and b as usual, field weights relative to the text. */
export interface RankingParameters {
  k1: number
  b: number
  heading: number
  path: number
  title: number
  keywords: number
  /** Share of the best score among the passages of the same document that is added. */
  document: number
  /** Share of the better neighbour's score that is added. */
  neighbour: number
  proximity: number
}

export const RANKING: RankingParameters = {
  k1: 1.2,
  b: 0.75,
  heading: 1,
  path: 1,
  title: 1,
  keywords: 2,
  document: 0.25,
  neighbour: 0.1,
  proximity: 0.5,
}

/** Weight of a posting's short fields, by the upper byte of its packed counts. */
function shortFieldWeights({ heading, path, title, keywords }: RankingParameters): Float32Array {
  return Float32Array.from({ length: 256 }, (_, upper) => {
    const counts = fieldCountsOf(upper << 8)
    return counts.heading * heading + counts.path * path + counts.title * title + counts.keywords * keywords
  })
}

/** BM25F of all passages by number. Zero where no word occurs. */
export function scorePassages(index: KnowledgeIndex, words: readonly QueryWord[], parameters: RankingParameters = RANKING): Float32Array {
  const scores = new Float32Array(index.capacity)
  const norms = index.lengthNorms(parameters.b)
  const shortFields = shortFieldWeights(parameters)
  const ofWord = new Float32Array(words.some(({ terms }) => terms.length > 1) ? index.capacity : 0)
  for (const { terms, weight } of words) {
    if (terms.length === 1) addTerm(terms[0] as QueryTerm, weight, scores)
    else addBest(terms, weight)
  }
  return scores

  function addTerm({ term, weight: kindWeight }: QueryTerm, weight: number, into: Float32Array): void {
    const postings = index.postingsOf(term)
    if (!postings) return
    const { k1 } = parameters
    const factor = weight * kindWeight * (k1 + 1) * inverseFrequency(index.size, index.frequencyOf(term))
    const { passages, weights } = postings
    for (let at = postings.start; at < postings.end; at += 1) {
      const passage = passages[at] as number
      const packed = weights[at] as number
      const frequency = (packed & 0xff) * (norms[passage] as number) + (shortFields[packed >>> 8] as number)
      into[passage] =
        Math.max(into === ofWord ? (into[passage] as number) : 0, (factor * frequency) / (k1 + frequency)) +
        (into === ofWord ? 0 : (into[passage] as number))
    }
  }

  /** Adds, per passage, the best score among the terms of one word. */
  function addBest(terms: readonly QueryTerm[], weight: number): void {
    for (const term of terms) addTerm(term, weight, ofWord)
    for (const { term } of terms) {
      const postings = index.postingsOf(term)
      if (!postings) continue
      for (let at = postings.start; at < postings.end; at += 1) {
        const passage = postings.passages[at] as number
        scores[passage] = (scores[passage] as number) + (ofWord[passage] as number)
        ofWord[passage] = 0
      }
    }
  }
}

/** BM25's inverse document frequency: always positive. */
export function inverseFrequency(passages: number, frequency: number): number {
  return Math.log(1 + (passages - frequency + 0.5) / (frequency + 0.5))
}
