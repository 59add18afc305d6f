import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { BOTH_DATABASES } from '../../../../test/support/databases.ts'
import { openTestDatabase } from '../../../../test/support/test-database.ts'
import type { Database } from '../engine/database.ts'
import {
  addFigures,
  closeDaysBefore,
  countVisitors,
  type DailyFigure,
  deleteFiguresBefore,
  NO_COUNTS,
  readFigures,
  readTopFiles,
} from './figures.ts'

describe.each(BOTH_DATABASES)('daily figures on %s', (kind) => {
  let database: Database
  let remove: () => Promise<void>
  beforeAll(async () => {
    ;({ database, remove } = await openTestDatabase(kind))
  })
  afterAll(() => remove())

  const file = (day: string, value: string, turns: number): DailyFigure => ({ ...NO_COUNTS, dimension: 'file', day, value, turns })
  const add = (figures: DailyFigure[], hashes: string[] = [], day = '2026-11-03') =>
    addFigures(database, { figures, visitors: { day, hashes } })
  const read = async (dimension: DailyFigure['dimension'], from = '2026-11-01', to = '2026-11-30') =>
    (await readFigures(database, { from, to, dimension })).map(({ day, value, turns }) => [day, value, turns])

  test('of files name those in most answers of the days, each with all its days', async () => {
    await add([
      file('2026-11-01', 'fees.md', 2),
      file('2026-11-02', 'fees.md', 2),
      file('2026-11-02', 'hours.md', 3),
      file('2026-11-02', 'parking.md', 3),
      file('2026-11-02', 'rare.md', 1),
      file('2026-11-05', 'rare.md', 100),
      { ...file('2026-11-02', 'en', 50), dimension: 'language' },
    ])
    const top = await readTopFiles(database, { from: '2026-11-01', to: '2026-11-04' }, 3)
    expect(top.map(({ day, value }) => `${day} ${value}`).toSorted()).toEqual([
      '2026-11-01 fees.md',
      '2026-11-02 fees.md',
      '2026-11-02 hours.md',
      '2026-11-02 parking.md',
    ])
    expect((await readTopFiles(database, { from: '2026-11-01', to: '2026-11-04' }, 1)).map(({ value }) => value)).toEqual([
      'fees.md',
      'fees.md',
    ])
    expect(await readTopFiles(database, { from: '2026-12-01', to: '2026-12-31' }, 3)).toEqual([])
  })

  test('are added up, and read by dimension in the order of days', async () => {
    await add([file('2026-11-02', 'fees.md', 1)])
    expect(await read('file', '2026-11-02', '2026-11-05')).toEqual([
      ['2026-11-02', 'fees.md', 3],
      ['2026-11-02', 'hours.md', 3],
      ['2026-11-02', 'parking.md', 3],
      ['2026-11-02', 'rare.md', 1],
      ['2026-11-05', 'rare.md', 100],
    ])
    expect(await read('language')).toEqual([['2026-11-02', 'en', 50]])
  })

  test('keep who was here only until the day is over', async () => {
    await add([], ['b', 'a'])
    await add([], ['a', 'c'])
    await add([], ['a'], '2026-11-04')
    expect([await countVisitors(database, '2026-11-03'), await countVisitors(database, '2026-11-04')]).toEqual([3, 1])
    await closeDaysBefore(database, '2026-11-04')
    await closeDaysBefore(database, '2026-11-04')
    expect([await countVisitors(database, '2026-11-03'), await countVisitors(database, '2026-11-04')]).toEqual([0, 1])
    expect(await read('visitors')).toEqual([['2026-11-03', '', 3]])
  })

  test('are deleted when they are old, in every dimension', async () => {
    await deleteFiguresBefore(database, '2026-11-03')
    expect([await read('file'), await read('language'), await read('visitors')]).toEqual([
      [['2026-11-05', 'rare.md', 100]],
      [],
      [['2026-11-03', '', 3]],
    ])
  })
})
