import {
  BREAKDOWNS,
  type Breakdown,
  type FigureDays,
  type FigureRow,
  type Figures,
  MIN_SHOWN,
  type Part,
} from '../../../contract/staff/figures.ts'
import { COUNT_NAMES, type DailyFigure, NO_COUNTS, readFigures, readTopFiles } from '../../store/staff/figures.ts'
import type { FigureCounts, FigureDimension } from '../../store/engine/schema/figures-schema.ts'
import { dayOf, LONGER, TIME_BOUNDS_MS } from './figures.ts'
import { setImmediate as immediate } from 'node:timers/promises'
import type { Database } from '../../store/engine/database.ts'

const DIMENSIONS = ['all', 'first_text', 'whole_answer', 'refusal', 'visitors', ...BREAKDOWNS] as const
/** Files of which the figures are shown: those that most answers name. */
const MAX_FILES = 50

/** The figures of the days from `from` to `to`, both included, as staff may see them; of none after `last`. */
export async function readPublished(database: Database, range: { from: string; to: string }, last: string): Promise<Figures> {
  // Of whole months, in which days are always joined in the same way.
  const months = { from: `${range.from.slice(0, 7)}-01`, to: last }
  const rows = await readTopFiles(database, { ...range, to: range.to < last ? range.to : last }, MAX_FILES)
  for (const dimension of DIMENSIONS) {
    rows.push(...(await readFigures(database, { ...months, dimension })))
    // The embedded database reads in this thread.
    await immediate()
  }
  return publishFigures(rows, range)
}

/** Where counts of rare values are added together. */
const OTHER = 'other'
const UNKNOWN = 'unknown'
const PARTS = ['notCovered', 'useful', 'up', 'down'] as const
type PartName = (typeof PARTS)[number]
const eachPart = <Value>(of: (name: PartName) => Value) =>
  Object.fromEntries(PARTS.map((name) => [name, of(name)])) as Record<PartName, Value>
/** Turns that a period has for its parts to be shown. */
const TURNS_OF_A_PERIOD = 100
const DAY_MS = 86_400_000

/** Days that are shown together. */
interface Period {
  from: string
  to: string
  counts: FigureCounts
}

/**
 * Daily figures that staff may see, including those of whole months. Each count of turns is of at least five, and so is each
 * difference between two: days are joined until they have enough, rare values of a breakdown are added together, and the figures of any
 * range are sums of the same periods.
 */
export function publishFigures(rows: readonly DailyFigure[], { from, to }: { from: string; to: string }): Figures {
  const byDimension = new Map([...Map.groupBy(rows, ({ dimension }) => dimension)].map(([dimension, some]) => [dimension, byDay(some)]))
  const ofDimension = (dimension: FigureDimension): ByDay => byDimension.get(dimension) ?? new Map()
  const isInside = (period: Period) => period.from >= from && period.to <= to
  const days = daysTogether([...ofDimension('all').values()].flat())
  // Joined further, so that what only some turns are doesn't become rare.
  const periods = join(days, TURNS_OF_A_PERIOD).filter(isInside)
  const groups = Object.fromEntries(
    BREAKDOWNS.map((breakdown) => [breakdown, periods.map((period) => groupsOf(ofDimension(breakdown), period))]),
  ) as Record<Breakdown, Map<string, FigureCounts>[]>
  const totals = periods.flatMap((period) => rowsOf(new Map([['', period.counts]])))
  const visitors = new Map([...ofDimension('visitors').values()].flat().map(({ day, turns }) => [day, turns]))
  return {
    from,
    to,
    days: days.filter(isInside).map((day) => daysOf(day, visitors)),
    total: added(totals),
    periods: periods.map((period, index) => ({
      from: period.from,
      to: period.to,
      ...added([totals[index]!]),
      states: Object.fromEntries([...groups.state[index]!].map(([state, { turns }]) => [state, turns])),
    })),
    breakdowns: Object.fromEntries(
      BREAKDOWNS.map((breakdown) => [breakdown, byTurns(groups[breakdown].flatMap(rowsOf))]),
    ) as Figures['breakdowns'],
    files: filesOf(ofDimension('file'), periods),
    times: { firstText: timesOf(ofDimension('first_text'), periods), wholeAnswer: timesOf(ofDimension('whole_answer'), periods) },
    rejections: rejectionsOf(ofDimension('refusal'), { from, to }),
  }
}

type ByDay = ReadonlyMap<string, readonly DailyFigure[]>

const byDay = (rows: readonly DailyFigure[]): ByDay => Map.groupBy(rows, ({ day }) => day)

function rowsIn(rows: ByDay, { from, to }: { from: string; to: string }): DailyFigure[] {
  const found: DailyFigure[] = []
  for (let time = Date.parse(from); time <= Date.parse(to); time += DAY_MS) found.push(...(rows.get(dayOf(time)) ?? []))
  return found
}

/** Joins the days of each month until they have `MIN_SHOWN` turns, always in the same way. */
function daysTogether(rows: readonly DailyFigure[]): Period[] {
  const days = rows.toSorted((one, other) => (one.day < other.day ? -1 : 1))
  const joined = join(
    days.map((row) => ({ from: row.day, to: row.day, counts: row })),
    MIN_SHOWN,
  )
  return joined.filter(({ counts }) => counts.turns >= MIN_SHOWN)
}

/** Joins neighbours of a month until they have `turns`. The last of a month may have fewer. */
function join(periods: readonly Period[], turns: number): Period[] {
  const joined: Period[] = []
  for (const { from, to, counts } of periods) {
    const open = joined.at(-1)
    if (!open || open.counts.turns >= turns || monthOf(open.from) !== monthOf(from)) joined.push({ from, to, counts })
    else joined[joined.length - 1] = { from: open.from, to, counts: sum(open.counts, counts) }
  }
  return joined
}

function daysOf({ from, to, counts }: Period, visitors: ReadonlyMap<string, number>): FigureDays {
  const seen = from === to ? (visitors.get(from) ?? 0) : 0
  const { turns, input_tokens, output_tokens, cost } = counts
  return {
    from,
    to,
    turns,
    ...rounded({ inputTokens: input_tokens, outputTokens: output_tokens, cost }),
    visitors: seen < MIN_SHOWN ? null : seen,
  }
}

/**
 * The values of a breakdown in a period. Turns that were counted before there was the breakdown are `UNKNOWN`, so that no rest is left to
 * subtract. Values with too few turns are `OTHER`, with the smallest that have enough if `OTHER` has not.
 */
function groupsOf(rows: ByDay, period: Period): Map<string, FigureCounts> {
  const values = sumsByValue(rowsIn(rows, period))
  const rest = [...values.values()].reduce((left, counts) => sum(left, counts, -1), period.counts)
  if (rest.turns > 0) values.set(UNKNOWN, sum(values.get(UNKNOWN) ?? NO_COUNTS, rest))
  const shown = [...values].toSorted(([, one], [, another]) => another.turns - one.turns)
  let other: FigureCounts = NO_COUNTS
  while (shown.length > 0 && (shown.at(-1)![1].turns < MIN_SHOWN || (other.turns > 0 && other.turns < MIN_SHOWN)))
    other = sum(other, shown.pop()![1])
  const named = new Map(shown)
  if (hasCounts(other)) named.set(OTHER, sum(named.get(OTHER) ?? NO_COUNTS, other))
  return named
}

type Row = Omit<FigureRow, PartName> & Record<PartName, Part & object>

/** Rows of the groups of one period. A part is hidden where it is rare, and then also where the difference to the others would tell it. */
function rowsOf(groups: Map<string, FigureCounts>): Row[] {
  const entries = [...groups]
  const shown = eachPart((part) => shownParts(entries.map(([, counts]) => [partOf(counts, part), counts.turns])))
  return entries.map(([value, counts], index) => {
    const { turns, input_tokens: inputTokens, output_tokens: outputTokens, cost } = counts
    const parts = eachPart((name) => (shown[name][index] ? { count: partOf(counts, name), of: turns } : { count: 0, of: 0 }))
    return { value, turns, inputTokens, outputTokens, cost, ...parts }
  })
}

/** Which of the parts can be shown: none if the hidden ones together are rare too. */
function shownParts(parts: readonly (readonly [count: number, of: number])[]): boolean[] {
  const isShown = parts.map(([count, of]) => isHarmless(count) && isHarmless(of - count))
  const hidden = parts.filter((_, index) => !isShown[index])
  const count = hidden.reduce((total, [part]) => total + part, 0)
  const others = hidden.reduce((total, [part, of]) => total + of - part, 0)
  return isHarmless(count) && isHarmless(others) ? isShown : parts.map(() => false)
}

const isHarmless = (count: number) => count === 0 || count >= MIN_SHOWN

function partOf(counts: FigureCounts, part: PartName): number {
  if (part === 'notCovered') return counts.not_covered
  if (part === 'useful') return Math.max(0, counts.complete - Math.max(0, counts.lost))
  return Math.max(0, counts[part])
}

/** Thousands of tokens and whole cents, so that what one answer used can't be computed from two sums. */
function rounded({ inputTokens, outputTokens, cost }: Record<'inputTokens' | 'outputTokens' | 'cost', number>) {
  const thousands = (tokens: number) => Math.round(tokens / 1_000) * 1_000
  return { inputTokens: thousands(inputTokens), outputTokens: thousands(outputTokens), cost: Math.round(cost * 100) / 100 }
}

function added(rows: readonly Row[]): Omit<FigureRow, 'value'> {
  const total = (name: 'turns' | 'inputTokens' | 'outputTokens' | 'cost') => rows.reduce((all, row) => all + row[name], 0)
  const turns = total('turns')
  const part = (name: PartName): Part => {
    const of = rows.reduce((all, row) => all + row[name].of, 0)
    return of === 0 || of * 2 < turns ? null : { count: rows.reduce((all, row) => all + row[name].count, 0), of }
  }
  return {
    turns,
    ...rounded({ inputTokens: total('inputTokens'), outputTokens: total('outputTokens'), cost: total('cost') }),
    ...eachPart(part),
  }
}

function byTurns(rows: readonly Row[]): FigureRow[] {
  const values = [...Map.groupBy(rows, ({ value }) => value)].map(([value, same]) => ({ value, ...added(same) }))
  return values.toSorted((one, other) => other.turns - one.turns)
}

/** Answers by file. An answer may name several, so the counts add up to nothing. */
function filesOf(rows: ByDay, periods: readonly Period[]): Figures['files'] {
  const shown = periods.flatMap((period) =>
    [...sumsByValue(rowsIn(rows, period))]
      .filter(([, { turns }]) => turns >= MIN_SHOWN)
      .flatMap(([value, counts]) => rowsOf(new Map([[value, counts]]))),
  )
  return byTurns(shown).map(({ value: file, turns: answers, up, down }) => ({ file, answers, up, down }))
}

function sumsByValue(rows: readonly DailyFigure[]): Map<string, FigureCounts> {
  const values = new Map<string, FigureCounts>()
  for (const row of rows) values.set(row.value, sum(values.get(row.value) ?? NO_COUNTS, row))
  return values
}

/** Median and 95th percentile over the periods. */
function timesOf(rows: ByDay, periods: readonly Period[]): Figures['times']['firstText'] {
  const counts = new Map<string, number>()
  for (const { value, turns } of periods.flatMap((period) => rowsIn(rows, period))) counts.set(value, (counts.get(value) ?? 0) + turns)
  const all = [...counts.values()].reduce((total, count) => total + count, 0)
  if (all < MIN_SHOWN) return null
  const percentile = (share: number) => {
    let below = 0
    for (const bound of [...TIME_BOUNDS_MS, LONGER]) {
      below += counts.get(String(bound)) ?? 0
      if (below >= all * share) return typeof bound === 'number' ? bound : null
    }
    return null
  }
  return { median: percentile(0.5), p95: percentile(0.95) }
}

function rejectionsOf(rows: ByDay, range: { from: string; to: string }): Figures['rejections'] {
  const shown = rowsIn(rows, range).filter(({ turns }) => turns >= MIN_SHOWN)
  return [...Map.groupBy(shown, ({ value }) => value)]
    .map(([code, days]) => ({ code, count: days.reduce((total, { turns }) => total + turns, 0) }))
    .toSorted((one, other) => other.count - one.count)
}

/** The sum of counts, or their difference with the `sign` -1. */
function sum(one: FigureCounts, other: FigureCounts, sign = 1): FigureCounts {
  const total = { ...NO_COUNTS }
  for (const name of COUNT_NAMES) total[name] = one[name] + sign * other[name]
  return total
}

const hasCounts = (counts: FigureCounts) => COUNT_NAMES.some((name) => counts[name] !== 0)
const monthOf = (day: string) => day.slice(0, 7)
