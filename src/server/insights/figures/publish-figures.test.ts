import { describe, expect, test } from 'vitest'
import { MADE_UP_MONTHS as MONTHS, madeUpFigures, randomFrom } from '../../../../test/support/made-up-figures.ts'
import { BREAKDOWNS, type FigureRow, type Figures } from '../../../contract/staff/figures.ts'
import { type DailyFigure, NO_COUNTS } from '../../store/staff/figures.ts'
import { publishFigures } from './publish-figures.ts'

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
    ...figures.rejections.map(({ count }) => count),
  ]
}

describe.each(Array.from({ length: 60 }, (_, seed) => seed))('figures of made-up turns %i', (seed) => {
  const rows = madeUpFigures(seed)
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
      for (const breakdown of ['agent', 'embed', 'language'] as const) {
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

test('joins days until they have five turns', () => {
  const { days, total } = publishFigures([day('2026-11-01', 2), day('2026-11-03', 4), day('2026-11-04', 7), day('2026-11-05', 1)], MONTHS)
  expect(days.map(({ from, to, turns }) => [from, to, turns])).toEqual([
    ['2026-11-01', '2026-11-03', 6],
    ['2026-11-04', '2026-11-04', 7],
  ])
  expect(total.turns).toBe(13)
})

test('rounds tokens and costs, so that one answer’s can’t be computed', () => {
  const { total, days } = publishFigures([day('2026-11-01', 40, { input_tokens: 12_345, output_tokens: 499, cost: 0.0149 })], MONTHS)
  const rounded = { inputTokens: 12_000, outputTokens: 0, cost: 0.01 }
  expect([total, days[0]]).toMatchObject([rounded, rounded])
})

test('counts answers that are not rated down as useful', () => {
  const { total } = publishFigures([day('2026-11-01', 40, { complete: 30, lost: 10, not_covered: 10, down: 10 })], MONTHS)
  expect(total).toMatchObject({
    useful: { count: 20, of: 40 },
    notCovered: { count: 10, of: 40 },
    down: { count: 10, of: 40 },
    up: { count: 0, of: 40 },
  })
})

test('counts what a release before a breakdown has counted as unknown', () => {
  const embed = (value: string, turns: number) => day('2026-11-02', turns, { dimension: 'embed', value })
  const rows = [day('2026-11-01', 12), day('2026-11-02', 108, { up: 9 }), embed('page', 70), embed('https://shop.example.org', 30)]
  const shown = publishFigures(rows, MONTHS).breakdowns.embed.map(({ value, turns }) => [value, turns])
  expect(shown).toEqual([
    ['page', 70],
    ['https://shop.example.org', 30],
    ['unknown', 20],
  ])
  const few = publishFigures([day('2026-11-02', 103), embed('page', 70), embed('api', 30)], MONTHS).breakdowns.embed
  expect(few.map(({ value, turns }) => [value, turns])).toEqual([
    ['page', 70],
    ['other', 33],
  ])
})

test('gives the median and the 95th percentile of times as upper bounds', () => {
  const times = (value: string, turns: number) => day('2026-11-01', turns, { dimension: 'first_text', value })
  const { firstText } = publishFigures([day('2026-11-01', 100), times('250', 60), times('1000', 36), times('more', 4)], MONTHS).times
  expect(firstText).toEqual({ median: 250, p95: 1000 })
  expect(publishFigures([day('2026-11-01', 100), times('250', 4)], MONTHS).times.firstText).toBeNull()
})
