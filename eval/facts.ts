import { z } from 'zod'
import { SupportCheck } from '../src/server/answering/facts/support-filter.ts'
import { type Figure, percent, readPublished } from './published.ts'

const Sets = z.record(z.string(), z.array(z.object({ claim: z.string(), evidence: z.string(), supported: z.boolean() })))
export type Pair = z.infer<typeof Sets>[string][number]

const NAMES: Record<string, string> = {
  wice: 'WiCE, claims about people and events',
  summedits_ectsum: 'SummEdits, summaries of earnings calls',
  summedits_samsum: 'SummEdits, summaries of chats',
  summedits_scitldr: 'SummEdits, summaries of papers',
}

/** Claims with their evidence, and whether it supports them, by set. */
export function supportSets(folder: string): [name: string, pairs: Pair[]][] {
  return Object.entries(Sets.parse(readPublished(folder, 'support'))).map(([name, pairs]) => [NAMES[name] ?? name, pairs])
}

/** Whether the fact check drops a sentence of the claim, with the evidence as its passage. */
export function isDropped({ claim, evidence }: Pair): boolean {
  const passages = { passage: () => evidence, passages: () => [evidence], numbers: new Set([1]), cite: (number: number) => number }
  const check = new SupportCheck(passages, { unsupported: 'drop', comparesFacts: true, needsSource: false })
  const filter = check.openFilter()
  filter.write(claim)
  filter.end()
  return check.count > 0
}

/** Measures the fact check beside the share of the claim's words that the evidence has, with the threshold that is best for each set. */
export function measureFacts(folder: string): Figure[] {
  return supportSets(folder).map(([set, pairs]) => {
    const overlap = new Map(pairs.map((pair) => [pair, sharedWords(pair)]))
    const baseline = Array.from({ length: 21 }, (_, at) => rates(pairs, (pair) => (overlap.get(pair) ?? 0) < at / 20)).reduce(
      (best, one) => (one.balanced > best.balanced ? one : best),
    )
    const text = ({ balanced, found, kept }: ReturnType<typeof rates>) => `${balanced.toFixed(2)} (${percent(found)}, ${percent(kept)})`
    return {
      set: `${set} (${pairs.length})`,
      what: 'fact check: balanced accuracy (unsupported found, supported kept)',
      parley: text(rates(pairs, (pair) => isDropped(pair))),
      baseline: `word overlap ${text(baseline)}`,
    }
  })
}

/** Shares of the unsupported claims that are found, of the supported ones that are kept, of the found ones that are unsupported, and of all that are right. */
export function rates(pairs: readonly Pair[], isFound: (pair: Pair) => boolean) {
  const [supported, unsupported] = [pairs.filter((pair) => pair.supported), pairs.filter((pair) => !pair.supported)]
  const [hits, alarms] = [unsupported.filter(isFound).length, supported.filter(isFound).length]
  const [found, kept] = [hits / unsupported.length, 1 - alarms / supported.length]
  const accuracy = (hits + supported.length - alarms) / pairs.length
  return { balanced: (found + kept) / 2, found, kept, precision: hits / (hits + alarms), accuracy }
}

function sharedWords({ claim, evidence }: Pair): number {
  const wordsOf = (text: string): string[] => text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []
  const [words, known] = [wordsOf(claim), new Set(wordsOf(evidence))]
  return words.filter((word) => known.has(word)).length / Math.max(1, words.length)
}
