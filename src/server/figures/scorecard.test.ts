import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { DATABASES } from '../../../test/support/databases.ts'
import { madeUpFigures, MADE_UP_MONTHS } from '../../../test/support/made-up-figures.ts'
import { type OpenedDatabase, openTestDatabase } from '../../../test/support/test-database.ts'
import { SCORECARD_FIGURES } from '../../contract/scorecard.ts'
import { addFigures, type DailyFigure, NO_COUNTS } from '../store/figures.ts'
import { publishFigures } from './publish-figures.ts'
import { publishScorecard, scorecardReader } from './scorecard.ts'

const DAY_MS = 86_400_000

const row = (day: string, turns: number, changes: Partial<DailyFigure> = {}): DailyFigure => ({
  ...NO_COUNTS,
  dimension: 'all',
  day,
  value: '',
  turns,
  ...changes,
})
const publish = (rows: DailyFigure[], to: string, shown: readonly (typeof SCORECARD_FIGURES)[number][] = SCORECARD_FIGURES) =>
  publishScorecard(rows, { to, shown }).figures

test('has the sums of periods of a hundred prompts that end in the last 30 days', () => {
  const rows = [
    row('2026-10-20', 500),
    row('2026-11-02', 120, { complete: 90, lost: 6, not_covered: 12 }),
    row('2026-11-20', 80, { complete: 66, not_covered: 8 }),
    row('2026-11-24', 40, { complete: 30 }),
    row('2026-11-02', 100, { dimension: 'first_text', value: '250' }),
    row('2026-11-20', 20, { dimension: 'first_text', value: '1000' }),
  ]
  expect(publish(rows, '2026-11-24')).toEqual({
    from: '2026-11-02',
    to: '2026-11-24',
    prompts: 240,
    useful: 75,
    notCovered: 8,
    times: { firstText: { median: 250, p95: 1000 }, wholeAnswer: null },
  })
})

test('leaves out days that other days of the month are still joined to', () => {
  const rows = [row('2026-11-02', 120), row('2026-11-20', 60)]
  expect(publish(rows, '2026-11-24')).toMatchObject({ from: '2026-11-02', to: '2026-11-02', prompts: 120 })
  expect(publish(rows, '2026-11-30')).toMatchObject({ from: '2026-11-02', to: '2026-11-20', prompts: 180 })
  expect(publish([row('2026-11-20', 60)], '2026-11-24')).toBeNull()
  expect(publish([row('2026-11-20', 4)], '2026-11-30')).toBeNull()
})

test('has a month that is over as a whole, if it ends in the last 30 days', () => {
  const rows = [row('2026-10-02', 30), row('2026-10-28', 30)]
  expect(publish(rows, '2026-11-20')).toMatchObject({ from: '2026-10-02', to: '2026-10-28', prompts: 60 })
  expect(publish(rows, '2026-11-27')).toBeNull()
})

test('hides a share of which there are, or lack, fewer than five', () => {
  const rows = [row('2026-11-02', 120, { complete: 118, not_covered: 2 })]
  expect(publish(rows, '2026-11-24')).toMatchObject({ useful: null, notCovered: null })
})

test('shows only what the operator publishes', () => {
  const rows = [row('2026-11-02', 120, { complete: 60 })]
  expect(publish(rows, '2026-11-24', ['useful'])).toEqual({ from: '2026-11-02', to: '2026-11-02', useful: 50 })
})

test.each(Array.from({ length: 20 }, (_, seed) => seed))(
  'of made-up turns %i, days differ by whole periods, which never change',
  (seed) => {
    const rows = madeUpFigures(seed)
    const { periods } = publishFigures(rows, MADE_UP_MONTHS)
    let shown = 0
    for (let time = Date.parse('2026-10-02'); time <= Date.parse(MADE_UP_MONTHS.to); time += DAY_MS) {
      const to = new Date(time).toISOString().slice(0, 10)
      const known = rows.filter(({ day }) => day <= to)
      const figures = publish(known, to)
      if (!figures) continue
      shown++
      const parts = periods.filter((period) => period.from >= figures.from && period.to <= figures.to)
      expect([parts[0]?.from, parts.at(-1)?.to]).toEqual([figures.from, figures.to])
      expect(parts.reduce((sum, { turns }) => sum + turns, 0)).toBe(figures.prompts)
    }
    expect(shown).toBeGreaterThan(30)
  },
)

describe.each(DATABASES)('the reader on %s', (kind) => {
  let opened: OpenedDatabase
  let now: number
  beforeEach(async () => {
    opened = await openTestDatabase(kind)
    now = Date.UTC(2026, 10, 25, 1, 30)
  })
  afterEach(() => opened.remove())

  const add = (...figures: DailyFigure[]) => addFigures(opened.database, { figures, visitors: { day: '2026-11-25', hashes: [] } })
  const reader = () => scorecardReader({ database: opened.database, shown: ['prompts'], now: () => now })

  test('reads once a day, an hour after midnight, and never the day itself', async () => {
    await add(row('2026-11-24', 150), row('2026-11-25', 300))
    const read = reader()
    expect(await read()).toMatchObject({ figures: { to: '2026-11-24', prompts: 150 } })
    await add(row('2026-11-24', 7))
    expect(await read()).toMatchObject({ figures: { prompts: 150 } })
    now += DAY_MS - 3_600_000
    expect(await read()).toMatchObject({ figures: { prompts: 150 } })
    now += 3_600_000
    expect(await read()).toMatchObject({ figures: { to: '2026-11-25', prompts: 457 } })
  })

  test('reads again after a failure', async () => {
    await add(row('2026-11-24', 150))
    const read = reader()
    const failing = vi.spyOn(opened.database, 'selectFrom').mockImplementationOnce(() => {
      throw new Error('away')
    })
    await expect(read()).rejects.toThrow('away')
    failing.mockRestore()
    expect(await read()).toMatchObject({ figures: { prompts: 150 } })
  })
})
