import { hitRate, hitRatio, meanReciprocalRank, scoreSeparation, type SystemResults, WORDINGS } from './measure.ts'
import { MAX_CHARACTERS } from './retrieval-system.ts'
import type { CollectionResults } from './run-retrieval.ts'

const NAME_WIDTH = 22
const CELL_WIDTH = 14

/** The results as text: one table a collection, its systems in rows. */
export function retrievalReport(results: readonly CollectionResults[]): string {
  const intro = `Right passage among the first ${MAX_CHARACTERS.toLocaleString('en')} characters, and the mean reciprocal rank of the first one.`
  return [intro, ...results.map(collectionReport)].join('\n\n')
}

function collectionReport({ collection, fetched, systems, passages, lost }: CollectionResults): string {
  const { package: name, use, questions } = collection
  const [ours, baseline] = systems
  return [
    `${name} ${fetched.version}, ${fetched.pages} pages, ${passages} passages, ${use === 'held-out' ? 'held out' : 'for tuning'}`,
    row('', [...WORDINGS, 'separation']),
    ...systems.map(systemRow),
    ...(ours && baseline ? WORDINGS.map((wording) => ratioLine(wording, ours, baseline)) : []),
    `extraction lost the quotations of ${lost.length} of ${questions.length} questions${lost.map((question) => `\n  ${question}`).join('')}`,
  ].join('\n')
}

function systemRow(results: SystemResults): string {
  const cells = WORDINGS.map((wording) => {
    const of = results.byWording[wording]
    return `${percent(hitRate(of))} ${meanReciprocalRank(of).toFixed(2)}`
  })
  return row(results.system, [...cells, scoreSeparation(results).toFixed(2)])
}

function ratioLine(wording: (typeof WORDINGS)[number], ours: SystemResults, baseline: SystemResults): string {
  const { ratio, low, high } = hitRatio(ours.byWording[wording], baseline.byWording[wording])
  return `${ours.system} : ${baseline.system}, ${wording}: ${ratio.toFixed(2)} × (95 %: ${low.toFixed(2)}–${high.toFixed(2)})`
}

function row(name: string, cells: readonly string[]): string {
  return `${name.padEnd(NAME_WIDTH)}${cells.map((cell) => cell.padStart(CELL_WIDTH)).join('')}`
}

function percent(share: number): string {
  return `${(share * 100).toFixed(0)} %`
}
