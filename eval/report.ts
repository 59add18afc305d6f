import { type CaseResult, isRight, type TurnResult } from '../src/server/insights/evaluation/run-cases.ts'
import type { LookedUp } from './retrieval-cases.ts'
import { sourceFigures } from './source-figures.ts'

/** Number of top sources considered for recall. */
export const RECALL_AT = 5
const PROMPT_CHARACTERS = 50
const VERDICT_CHARACTERS = 9

/** Results of one model or agent. */
export interface Results {
  label: string
  cases: CaseResult[]
}

export interface Totals {
  cases: number
  /** Share of correct runs, over all cases. */
  right: number
  recall: number | null
  mrr: number | null
  /** Mean grade of the judge, and mean spread of its grades. */
  grade: number | null
  spread: number | null
  /** Sentences that were left out or marked because no source supports them. */
  unsupportedSentences: number
}

export function totalsOf({ cases }: Results): Totals {
  const turns = cases.flatMap(({ runs }) => runs.flat())
  const figures = sourceFigures(
    turns.flatMap(({ ranks }) => (ranks ? [ranks] : [])),
    RECALL_AT,
  )
  const judged = turns.flatMap(({ judgement }) => judgement ?? [])
  return {
    cases: cases.length,
    right: mean(cases.map(rightShare)) ?? 0,
    recall: figures?.recall ?? null,
    mrr: figures?.mrr ?? null,
    grade: mean(judged.map((one) => one.mean)),
    spread: mean(judged.map((one) => one.spread)),
    unsupportedSentences: turns.reduce((sum, turn) => sum + turn.unsupportedSentences, 0),
  }
}

function rightShare({ runs }: CaseResult): number {
  return runs.filter(isRight).length / runs.length
}

function mean(values: readonly number[]): number | null {
  return values.length === 0 ? null : values.reduce((sum, value) => sum + value, 0) / values.length
}

/** A line per case, and a summary per result. */
export function tableOf(all: readonly Results[]): string {
  const several = all.length > 1
  return all
    .flatMap((results) => [
      ...(several ? ['', results.label] : []),
      '',
      row('prompt', 'verdict', 'seconds', 'why'),
      ...results.cases.map(caseRow),
      '',
      ...statesTable(results),
      summaryOf(results),
    ])
    .concat(several ? ['', comparisonOf(all)] : [])
    .join('\n')
}

function caseRow(result: CaseResult): string {
  const { name, runs } = result
  const right = runs.filter(isRight).length
  const verdict = right === runs.length ? 'right' : runs.length === 1 ? 'WRONG' : `${right} of ${runs.length}`
  const seconds = mean(runs.map((turns) => turns.reduce((sum, turn) => sum + turn.seconds, 0))) ?? 0
  return row(name, verdict, seconds.toFixed(1), [...new Set(runs.flatMap(faultsOfRun))].join('; '))
}

/** In a chat of several turns, faults name their turn. */
export function faultsOfRun(turns: readonly TurnResult[]): string[] {
  return turns.flatMap(({ faults }, index) => faults.map((fault) => (turns.length === 1 ? fault : `turn ${index + 1} ${fault}`)))
}

/** Answers by the state that they must have (rows) and that they have (columns), where two or more states are expected. */
function statesTable({ cases }: Results): string[] {
  const turns = cases.flatMap(({ runs }) => runs.flat()).filter(({ expectedStates }) => expectedStates !== undefined)
  const expectedOf = ({ expectedStates }: TurnResult) => expectedStates?.join(' or ') ?? ''
  const expected = [...new Set(turns.map(expectedOf))]
  if (expected.length < 2) return []
  const actual = [...new Set(turns.map(({ state }) => state ?? 'none'))].toSorted()
  const line = (...cells: string[]) => `| ${cells.join(' | ')} |`
  return [
    line('expected', 'answers', 'right', ...actual),
    line(...Array.from({ length: actual.length + 3 }, () => '---')),
    ...expected.map((states) => {
      const own = turns.filter((turn) => expectedOf(turn) === states)
      const right = own.filter(({ state, expectedStates }) => state !== null && expectedStates?.includes(state)).length
      const counts = actual.map((column) => own.filter(({ state }) => (state ?? 'none') === column).length)
      return line(states, String(own.length), String(right), ...counts.map((count) => String(count || '')))
    }),
    '',
  ]
}

function summaryOf(results: Results): string {
  const { cases, right, recall, mrr, grade, spread, unsupportedSentences } = totalsOf(results)
  const isWhole = results.cases.every(({ runs }) => runs.length === 1)
  const counted = isWhole ? `${Math.round(right * cases)} of ${cases} right` : `${percent(right)} of all runs of ${cases} cases right`
  return [
    counted,
    ...(recall === null || mrr === null ? [] : [`sources: recall@${RECALL_AT} ${percent(recall)}, MRR ${mrr.toFixed(2)}`]),
    ...(grade === null || spread === null ? [] : [`graded ${grade.toFixed(2)} of 5, spread ${spread.toFixed(2)}`]),
    ...(unsupportedSentences === 0 ? [] : [`${unsupportedSentences} sentences without support held back or marked`]),
  ].join('; ')
}

function comparisonOf([one, ...others]: readonly Results[]): string {
  const lines = others.map((other) => {
    const pairs = (one?.cases ?? []).map((result, at) => ({ name: result.name, change: shareAt(other, at) - rightShare(result) }))
    const named = (changed: typeof pairs) => (changed.length === 0 ? 'none' : changed.map(({ name }) => name).join('; '))
    const worse = pairs.filter(({ change }) => change < 0)
    const better = pairs.filter(({ change }) => change > 0)
    return `${other.label} against ${one?.label}: better in ${better.length} (${named(better)}), worse in ${worse.length} (${named(worse)})`
  })
  return lines.join('\n')
}

function shareAt({ cases }: Results, at: number): number {
  const result = cases[at]
  return result ? rightShare(result) : 0
}

function percent(share: number): string {
  return `${(share * 100).toFixed(0)} %`
}

function row(prompt: string, verdict: string, seconds: string, why: string): string {
  const line = prompt.replace(/\s+/g, ' ')
  const cut = line.length > PROMPT_CHARACTERS ? `${line.slice(0, PROMPT_CHARACTERS - 1)}…` : line
  return `${cut.padEnd(PROMPT_CHARACTERS)}  ${verdict.padEnd(VERDICT_CHARACTERS)}${seconds.padStart('seconds'.length)}  ${why}`.trimEnd()
}

/** All prompts and answers as JSON. */
export function jsonOf(set: string, all: readonly Results[]): string {
  const results = all.map((one) => ({ ...one, totals: totalsOf(one) }))
  return `${JSON.stringify({ set, recallAt: RECALL_AT, results }, null, 2)}\n`
}

/** JUnit XML: a suite per result, a test case per run. */
export function junitOf(set: string, all: readonly Results[]): string {
  const suites = all.map((results) => {
    const tests = results.cases.flatMap((result) => result.runs.map((turns) => ({ result, turns })))
    const failures = tests.filter(({ turns }) => !isRight(turns)).length
    const name = attribute(`${set}, ${results.label}`)
    return [
      `  <testsuite name="${name}" tests="${tests.length}" failures="${failures}">`,
      ...tests.map(({ result, turns }) => testCase(result, turns)),
      '  </testsuite>',
    ].join('\n')
  })
  return `<?xml version="1.0" encoding="UTF-8"?>\n<testsuites>\n${suites.join('\n')}\n</testsuites>\n`
}

function testCase({ name, agent }: CaseResult, turns: readonly TurnResult[]): string {
  const seconds = turns.reduce((sum, turn) => sum + turn.seconds, 0).toFixed(3)
  const head = `    <testcase name="${attribute(name)}" classname="${attribute(agent)}" time="${seconds}"`
  const faults = faultsOfRun(turns)
  if (faults.length === 0) return `${head}/>`
  const answer = turns.map(({ prompt, text }) => `> ${prompt}\n${text}`).join('\n\n')
  return `${head}><failure message="${attribute(faults.join('; '))}">${attribute(answer)}</failure></testcase>`
}

// XML cannot represent most control characters.
// oxlint-disable-next-line no-control-regex
const UNWRITABLE = /[\u0000-\u0008\u000B\u000C\u000E-\u001F\uFFFE\uFFFF]/g

function attribute(text: string): string {
  const escaped = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', '\n': '&#10;' } as const
  return text
    .toWellFormed()
    .replace(UNWRITABLE, '')
    .replace(/[&<>"\n]/g, (character) => escaped[character as keyof typeof escaped])
}

/** Totals of a retrieval run: `right` is the share of prompts for which all expected sources were returned. */
export function lookUpTotals(found: readonly LookedUp[]) {
  const figures = sourceFigures(
    found.map(({ ranks }) => ranks),
    RECALL_AT,
  )
  const right = found.filter(({ ranks }) => !ranks.includes(null)).length / found.length
  return { prompts: found.length, right, recall: figures?.recall ?? 0, mrr: figures?.mrr ?? 0 }
}

export function lookUpTable(found: readonly LookedUp[]): string {
  const rows = found.map(({ prompt, expected, ranks }) => {
    const missing = expected.filter((_, at) => ranks[at] === null).map((source) => `source ${source} is missing`)
    const at = ranks.every((rank) => rank !== null) ? `at ${ranks.join(', ')}` : missing.join('; ')
    return row(prompt, missing.length === 0 ? 'right' : 'WRONG', '', at)
  })
  const { prompts, right, recall, mrr } = lookUpTotals(found)
  const summary = `${Math.round(right * prompts)} of ${prompts} right; recall@${RECALL_AT} ${percent(recall)}, MRR ${mrr.toFixed(2)}`
  return [row('prompt', 'verdict', '', 'sources'), ...rows, '', summary].join('\n')
}
