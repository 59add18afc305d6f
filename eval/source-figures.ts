import type { SourceRanks } from '../src/server/insights/evaluation/source-ranks.ts'

/** Share of the expected sources among the first k. */
export function recallAt(k: number, ranks: SourceRanks): number {
  return ranks.filter((rank) => rank !== null && rank <= k).length / ranks.length
}

/** 1 / rank of the first expected source; 0 if none is returned. */
export function reciprocalRank(ranks: SourceRanks): number {
  const best = Math.min(...ranks.map((rank) => rank ?? Number.POSITIVE_INFINITY))
  return 1 / best
}

interface SourceFigures {
  prompts: number
  recall: number
  mrr: number
}

/** Means over the prompts that expect sources; null if none does. */
export function sourceFigures(all: readonly SourceRanks[], k: number): SourceFigures | null {
  if (all.length === 0) return null
  const mean = (of: (ranks: SourceRanks) => number) => all.reduce((sum, ranks) => sum + of(ranks), 0) / all.length
  return { prompts: all.length, recall: mean((ranks) => recallAt(k, ranks)), mrr: mean(reciprocalRank) }
}
