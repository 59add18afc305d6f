/** The sources of a search or an answer, in order. */
export interface GivenSource {
  file: string
  text: string
}

/** Ranks of the expected sources of one prompt. */
export interface SourceRanks {
  /** Rank of each expected source, from 1; null if it is missing. */
  ranks: (number | null)[]
}

/** `privacy.md`, or a longer path, names a file; anything else is a quotation. */
const FILE = /^[^\s]+\.\w{1,5}$/

/** Position of each expected source among the given ones, from 1; `null` if missing. */
export function ranksOf(expected: readonly string[], given: readonly GivenSource[]): SourceRanks {
  const ranks = expected.map((one) => {
    const isFile = FILE.test(one)
    const at = given.findIndex(({ file, text }) => (isFile ? file === one : normalized(text).includes(normalized(one))))
    return at === -1 ? null : at + 1
  })
  return { ranks }
}

/** Share of the expected sources among the first k. */
export function recallAt(k: number, { ranks }: SourceRanks): number {
  return ranks.filter((rank) => rank !== null && rank <= k).length / ranks.length
}

/** 1 / rank of the first expected source; 0 if none is returned. */
export function reciprocalRank({ ranks }: SourceRanks): number {
  const best = Math.min(...ranks.map((rank) => rank ?? Number.POSITIVE_INFINITY))
  return 1 / best
}

export interface SourceFigures {
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

/** Text with normalised white space, for comparing quotations. */
export function normalized(text: string): string {
  return text.normalize('NFC').replace(/\s+/g, ' ').trim()
}
