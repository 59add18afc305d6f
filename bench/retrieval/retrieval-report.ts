import { hitRate, hitRatio, meanReciprocalRank, scoreSeparation, type SystemResults, WORDINGS } from './measure.ts'
import { MAX_CHARACTERS } from './retrieval-system.ts'
import type { CollectionResults } from './run-retrieval.ts'

const NAME_WIDTH = 22
const CELL_WIDTH = 14

/** The results as text: one table per collection, one row per system. */
export function retrievalReport(results: readonly CollectionResults[]): string {
  const intro = `Right passage among the first ${MAX_CHARACTERS.toLocaleString('en')} characters, and the mean reciprocal rank of the first one.`
  return [intro, ...results.map(collectionReport)].join('\n\n')
}

function collectionReport({ collection, fetched, systems, passages, lost, cut }: CollectionResults): string {
  const { package: name, use, questions } = collection
  return [
    `${name} ${fetched.version}, ${fetched.pages} pages, ${passages} passages, ${use === 'held-out' ? 'held out' : 'for tuning'}`,
    row('', [...WORDINGS, 'separation']),
    ...systems.map((system) => row(system.system, cellsOf(system))),
    ...ratioLines(systems),
    `in no passage: the quotations of ${lost.length} of ${questions.length} questions; in no chunk of the baseline: of ${cut.length}`,
    ...lost.map((question) => `  lost: ${question}`),
  ].join('\n')
}

/** Hit rate and mean reciprocal rank per wording, and the separation of scores. */
export function cellsOf(results: SystemResults): string[] {
  const cells = WORDINGS.map((wording) => {
    const of = results.byWording[wording]
    return `${percent(hitRate(of))} ${meanReciprocalRank(of).toFixed(2)}`
  })
  return [...cells, scoreSeparation(results).toFixed(2)]
}

/** The first system (ours) compared with the second (the baseline). */
export function ratioLines([ours, baseline]: readonly SystemResults[]): string[] {
  return ours && baseline ? WORDINGS.map((wording) => ratioLine(wording, ours, baseline)) : []
}

function ratioLine(wording: (typeof WORDINGS)[number], ours: SystemResults, baseline: SystemResults): string {
  const { ratio, low, high } = hitRatio(ours.byWording[wording], baseline.byWording[wording])
  return `${ours.system} : ${baseline.system}, ${wording}: ${times(ratio)} (95 %: ${times(low)} to ${times(high)})`
}

function times(ratio: number): string {
  return Number.isFinite(ratio) ? `${ratio.toFixed(2)} ×` : 'the baseline finds nothing'
}

function row(name: string, cells: readonly string[]): string {
  return `${name.padEnd(NAME_WIDTH)}${cells.map((cell) => cell.padStart(CELL_WIDTH)).join('')}`
}

function percent(share: number): string {
  return `${(share * 100).toFixed(0)} %`
}
