import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { BOTH_DATABASES } from '../../../../test/support/databases.ts'
import { openTestDatabase } from '../../../../test/support/test-database.ts'
import type { Database } from '../engine/database.ts'
import {
  addFigures,
  closeDay,
  type DailyFigure,
  type DailyVisitor,
  deleteFiguresBefore,
  networksOfDay,
  NO_COUNTS,
  OPEN_SLOTS,
  openDaysBefore,
  readDailyTopics,
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
  const add = (figures: DailyFigure[], seen: readonly DailyVisitor[] = [], day = '2026-11-03') =>
    addFigures(database, { figures, visitors: { day, seen } })
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

  const inSlot = (slot: keyof typeof OPEN_SLOTS, turns = 1): DailyFigure => ({
    ...NO_COUNTS,
    dimension: 'all',
    day: OPEN_SLOTS[slot].day,
    value: '',
    turns,
  })
  const visitor = (name: string, slot: keyof typeof OPEN_SLOTS, network: string | null = `network of ${name}`): DailyVisitor => ({
    hash: name,
    network,
    slots: OPEN_SLOTS[slot].bit,
  })

  test('are published when five visitors on five networks are in a slot, and ratings when five have rated', async () => {
    const day = '2026-11-10'
    const published = async () => (await read('all')).map(([, , turns]) => turns)
    for (const name of ['a', 'b', 'c', 'd']) await add([inSlot('turns')], [visitor(name, 'turns')], day)
    await add([inSlot('turns', 10)], [visitor('a', 'turns'), visitor('f', 'turns', 'network of a'), visitor('g', 'turns', null)], day)
    expect(await published()).toEqual([])
    await add([inSlot('turns')], [visitor('e', 'turns')], day)
    expect(await published()).toEqual([15])
    // The next slot has nobody yet.
    await add([inSlot('turns')], [visitor('e', 'turns')], day)
    expect(await published()).toEqual([15])
    for (const name of ['a', 'b', 'c', 'd']) await add([inSlot('ratings', 1)], [visitor(name, 'ratings')], day)
    expect(await published()).toEqual([15])
    await add([inSlot('ratings', 1)], [visitor('e', 'ratings')], day)
    expect(await published()).toEqual([20])
    // A slot that stays below joins that of the next day, whose own visitors must be enough.
    for (const name of ['a', 'b', 'c', 'd']) await add([inSlot('turns')], [visitor(name, 'turns')], '2026-11-11')
    expect(await published()).toEqual([20])
    await add([inSlot('turns')], [visitor('e', 'turns')], '2026-11-11')
    expect(await read('all')).toEqual([
      ['2026-11-10', '', 20],
      ['2026-11-11', '', 6],
    ])
  })

  test('keep who was here only until the day is over, and count them if they are enough', async () => {
    const topics = { topics: '[]', outcome: 'not_enough' } as const
    expect(await openDaysBefore(database, '2026-11-11')).toEqual(['2026-11-10'])
    expect((await networksOfDay(database, '2026-11-10')).get('f')).toBe('network of a')
    await closeDay(database, '2026-11-10', topics)
    await closeDay(database, '2026-11-10', { topics: '[1]', outcome: 'topics' })
    expect(await openDaysBefore(database, '2026-11-11')).toEqual([])
    expect(await read('visitors')).toEqual([['2026-11-10', '', 7]])
    await add(
      [],
      [1, 2, 3, 4, 5].map((number) => visitor(`${number}`, 'turns', `network ${number % 4}`)),
      '2026-11-09',
    )
    await closeDay(database, '2026-11-09', topics)
    expect(await read('visitors')).toEqual([['2026-11-10', '', 7]])
    expect((await readDailyTopics(database, '2026-11-01')).map(({ day, topics: stored }) => [day, stored])).toEqual([
      ['2026-11-10', '[]'],
      ['2026-11-09', '[]'],
    ])
  })

  test('are deleted when they are old, in every dimension', async () => {
    await deleteFiguresBefore(database, '2026-11-03', '2026-11-10')
    expect([await read('file'), await read('language'), await read('visitors')]).toEqual([
      [['2026-11-05', 'rare.md', 100]],
      [],
      [['2026-11-10', '', 7]],
    ])
    expect((await readDailyTopics(database, '2026-11-01')).map(({ day }) => day)).toEqual(['2026-11-10'])
  })
})
