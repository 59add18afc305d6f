import type { RankedPassage } from './rank.ts'

const MAX_OF_SECTION = 2

/** The best passages, at most two of one section unless there are no others. */
export function diverse(ranked: readonly RankedPassage[], limit: number): RankedPassage[] {
  const counts = new Map<string, number>()
  const [chosen, rest]: [RankedPassage[], RankedPassage[]] = [[], []]
  for (const passage of ranked) {
    const section = JSON.stringify([passage.file, passage.path])
    const count = (counts.get(section) ?? 0) + 1
    counts.set(section, count)
    const to = count <= MAX_OF_SECTION ? chosen : rest
    to.push(passage)
  }
  return [...chosen, ...rest].slice(0, limit)
}
