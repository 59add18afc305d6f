export interface ScoredPassage {
  id: number
  score: number
}

export interface WordPassage extends ScoredPassage {
  /** 0 to 1: how much of the query it covers. */
  relevance: number
}

/** Softens the difference between ranks, as usual in reciprocal rank fusion. */
const RANK_OFFSET = 60

/** Merges rankings by reciprocal rank fusion, best first. Of a passage that several have, and of equal ranks, the first ranking's counts. */
export function mergedByRank<Ranked extends { id: string }>(rankings: readonly (readonly Ranked[])[]): Ranked[] {
  const scores = new Map<string, { passage: Ranked; score: number }>()
  for (const ranking of rankings)
    for (const [rank, passage] of ranking.entries()) {
      const known = scores.get(passage.id) ?? { passage, score: 0 }
      scores.set(passage.id, { ...known, score: known.score + 1 / (RANK_OFFSET + rank) })
    }
  return [...scores.values()].toSorted((one, other) => other.score - one.score).map(({ passage }) => passage)
}

/** How many passages of the vector ranking are read; the last of them is the background that the others stand out from. */
export const NEAREST = 100
/** How many passages of the word ranking are read; where there are as many, the last of them is the background too. */
export const BEST_BY_WORDS = 200
/** Weight of the nearest passage, in units of a word score of ln(number of passages). Fitted: bench/fusion.ts. */
const NEAREST_WEIGHT = 1
/** Below this spread of cosines, the vectors distinguish nothing: noise is not stretched to full weight. */
const MIN_SPREAD = 0.05

/**
 * Merges a ranking by words (BM25 scores) and one by vectors (cosines), both best first, into one, best first. Each counts by how far a
 * passage stands out from the background of its ranking; a passage that it lacks gets nothing from it.
 *
 * A BM25 score estimates the log-odds that a passage is relevant, so it is divided by the logarithm of the collection's size, never by the
 * best score of the query: a match on rare words outweighs the vectors, a weak best match does not. It tells nothing about the words that
 * the passage lacks, so it counts by the share of the query that it covers: little where a question in another language shares only names
 * and short words with the passages. Cosines have no scale that models
 * share, so they are stretched between the last and the first passage of their ranking.
 */
export function fuse(byWords: readonly WordPassage[], near: readonly ScoredPassage[], collectionSize: number): ScoredPassage[] {
  const scores = new Map<number, number>()
  const unit = Math.log(Math.max(collectionSize, Math.E))
  const usual = byWords.length >= BEST_BY_WORDS ? (byWords.at(-1)?.score ?? 0) : 0
  for (const { id, score, relevance } of byWords) scores.set(id, (relevance * (score - usual)) / unit)
  const [nearest = 0, background = 0] = [near[0]?.score, near.at(-1)?.score]
  const spread = Math.max(nearest - background, MIN_SPREAD)
  for (const { id, score } of near) {
    const closeness = near.length === 1 ? 1 : (score - background) / spread
    scores.set(id, (scores.get(id) ?? 0) + NEAREST_WEIGHT * closeness)
  }
  return [...scores].map(([id, score]) => ({ id, score })).toSorted((one, other) => other.score - one.score)
}
