import { describe, expect, test } from 'vitest'
import { BREAKDOWNS, type FigureRow, type Figures } from '../../contract/staff/figures.ts'
import { type DailyFigure, NO_COUNTS } from '../store/figures.ts'
import type { FigureDimension } from '../store/figures-schema.ts'
import { publishFigures } from './publish-figures.ts'

/** Turns that a day may have, many of them few. */
const SIZES = [0, 1, 2, 3, 4, 5, 6, 9, 20, 60, 130, 400]
const STATES = ['answered', 'not_covered', 'referred', 'failed', 'stopped']
const LANGUAGES = ['en', 'de', 'fr', 'ar']
const AGENTS = ['default', 'press', 'taxes']
const MONTHS = { from: '2026-09-01', to: '2026-11-30' }

/** Random numbers from 0 to 1 that a seed repeats. */
function randomFrom(seed: number): () => number {
  let state = seed
  return () => {
    state = (state * 1_664_525 + 1_013_904_223) % 4_294_967_296
    return state / 4_294_967_296
  }
}

/** Daily figures of made-up turns, as they are stored. */
function figuresOf(seed: number): DailyFigure[] {
  const random = randomFrom(seed)
  const pick = <Value>(values: readonly Value[]) => values[Math.floor(random() ** 2 * values.length)] as Value
  const rows = new Map<string, DailyFigure>()
  const add = (day: string, dimension: FigureDimension, value: string, counts: Partial<DailyFigure>) => {
    const key = `${dimension} ${day} ${value}`
    const row = rows.get(key) ?? { ...NO_COUNTS, dimension, day, value }
    rows.set(key, row)
    for (const name of Object.keys(counts) as (keyof typeof NO_COUNTS)[]) row[name] += counts[name] ?? 0
  }
  for (let time = Date.parse(MONTHS.from); time <= Date.parse(MONTHS.to); time += 86_400_000) {
    const day = new Date(time).toISOString().slice(0, 10)
    const turns = SIZES[Math.floor(random() * SIZES.length)] as number
    for (let turn = 0; turn < turns; turn++) {
      const state = pick(STATES)
      const complete = Number(state === 'answered' || state === 'referred')
      const down = Number(random() < 0.05)
      const counts = {
        turns: 1,
        complete,
        not_covered: Number(state === 'not_covered'),
        up: Number(random() < 0.1),
        down,
        lost: complete * down,
      }
      add(day, 'all', '', counts)
      add(day, 'state', state, counts)
      add(day, 'language', pick(LANGUAGES), counts)
      const agent = pick(AGENTS)
      add(day, 'agent', agent, counts)
      add(day, 'version', `${agent} ${day < '2026-10-15' ? 'a' : 'b'}`, counts)
      add(day, 'model', 'small', counts)
      if (random() < 0.2) add(day, 'file', pick(['a.md', 'b.md']), counts)
      if (random() < 0.02) add(day, 'refusal', 'too_many_prompts', { turns: 1 })
    }
    add(day, 'visitors', '', { turns: Math.ceil(turns / 3) })
  }
  return [...rows.values()]
}

const isHarmless = (count: number) => count === 0 || count >= 5
const partsOf = ({ notCovered, useful, up, down }: Pick<FigureRow, 'notCovered' | 'useful' | 'up' | 'down'>) =>
  [notCovered, useful, up, down].filter((part) => part !== null)

/** Every count of a reply. */
function countsOf(figures: Figures): number[] {
  const rows = Object.values(figures.breakdowns).flat()
  const parts = [...rows, ...figures.periods, figures.total].flatMap(partsOf)
  return [
    ...figures.days.flatMap(({ turns, visitors }) => [turns, visitors ?? 0]),
    ...figures.periods.flatMap(({ turns, states }) => [turns, ...Object.values(states)]),
    ...rows.map(({ turns }) => turns),
    ...parts.flatMap(({ count, of }) => [count, of, of - count]),
    ...figures.files.map(({ answers }) => answers),
    ...figures.refusals.map(({ count }) => count),
  ]
}

describe.each(Array.from({ length: 60 }, (_, seed) => seed))('figures of made-up turns %i', (seed) => {
  const rows = figuresOf(seed)
  const all = publishFigures(rows, MONTHS)

  test('show no count from one to four', () => {
    expect(countsOf(all).filter((count) => !isHarmless(count))).toEqual([])
    expect(all.days.length).toBeGreaterThan(10)
  })

  test('have breakdowns that add up to the periods, so that no rest is left to subtract', () => {
    for (const breakdown of BREAKDOWNS)
      expect(
        all.breakdowns[breakdown].reduce((sum, { turns }) => sum + turns, 0),
        breakdown,
      ).toBe(all.total.turns)
    for (const { turns, states } of all.periods) expect(Object.values(states).reduce((sum, count) => sum + count, 0)).toBe(turns)
  })

  test('differ between any two ranges by no turns or at least five', () => {
    const random = randomFrom(seed + 1)
    const days = Array.from(
      { length: 30 },
      () => `2026-1${Math.floor(random() * 2)}-${String(1 + Math.floor(random() * 28)).padStart(2, '0')}`,
    )
    const totals = days.map((from) => publishFigures(rows, { from, to: MONTHS.to }))
    const sums = totals.flatMap(({ total, days: shown }) => [total.turns, shown.reduce((sum, { turns }) => sum + turns, 0)])
    const differences = sums.flatMap((one) => sums.map((other) => Math.abs(one - other)))
    expect(differences.filter((difference) => !isHarmless(difference))).toEqual([])
  })

  test('hide parts of groups that the parts of the others and the total would tell', () => {
    for (const { from, to, notCovered } of all.periods) {
      const { breakdowns } = publishFigures(rows, { from, to })
      for (const breakdown of ['agent', 'language'] as const) {
        const known = breakdowns[breakdown].flatMap((row) => row.notCovered ?? [])
        const rest = notCovered && notCovered.count - known.reduce((sum, { count }) => sum + count, 0)
        expect(isHarmless(rest ?? 0), `${breakdown} ${from}`).toBe(true)
      }
    }
  })
})

const day = (date: string, turns: number, counts: Partial<DailyFigure> = {}): DailyFigure => ({
  ...NO_COUNTS,
  dimension: 'all',
  day: date,
  value: '',
  turns,
  ...counts,
})

test('joins days until they have five turns, and says that others wait', () => {
  const { days, total, isPending } = publishFigures(
    [day('2026-11-01', 2), day('2026-11-03', 4), day('2026-11-04', 7), day('2026-11-05', 1)],
    MONTHS,
  )
  expect(days.map(({ from, to, turns }) => [from, to, turns])).toEqual([
    ['2026-11-01', '2026-11-03', 6],
    ['2026-11-04', '2026-11-04', 7],
  ])
  expect({ turns: total.turns, isPending }).toEqual({ turns: 13, isPending: true })
})

test('counts answers that are neither rated down nor rephrased as useful', () => {
  const { total } = publishFigures([day('2026-11-01', 40, { complete: 30, lost: 10, not_covered: 10, down: 6, rephrased: 5 })], MONTHS)
  expect(total).toMatchObject({
    useful: { count: 20, of: 40 },
    notCovered: { count: 10, of: 40 },
    down: { count: 6, of: 40 },
    up: { count: 0, of: 40 },
  })
})

test('gives the median and the 95th percentile of times as upper bounds', () => {
  const times = (value: string, turns: number) => day('2026-11-01', turns, { dimension: 'first_text', value })
  const { firstText } = publishFigures([day('2026-11-01', 100), times('250', 60), times('1000', 36), times('more', 4)], MONTHS).times
  expect(firstText).toEqual({ median: 250, p95: 1000 })
  expect(publishFigures([day('2026-11-01', 100), times('250', 4)], MONTHS).times.firstText).toBeNull()
})
