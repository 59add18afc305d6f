import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { AddressKeys } from '../../src/server/limits/address-keys.ts'
import { type Quota, WINDOWS_MS } from '../../src/server/limits/limit-settings.ts'
import { networkOf } from '../../src/server/limits/network.ts'
import { Quotas, type Subjects } from '../../src/server/limits/quotas.ts'
import { BOTH_DATABASES } from '../support/databases.ts'
import { type OpenedDatabase, openTestDatabase } from '../support/test-database.ts'
import { purgeEnded } from '../../src/server/store/sessions/retention.ts'

const NOON = Date.UTC(2026, 10, 21, 12)
const A_MINUTE: Quota = { what: 'prompt', of: 'visitor', window: 'minute', limit: 3, code: 'too_many_prompts' }
const A_DAY: Quota = { what: 'prompt', of: 'visitor', window: 'day', limit: 5, code: 'daily_prompts_used' }
const OF_NETWORK: Quota = { what: 'prompt', of: 'network', window: 'minute', limit: 4, code: 'too_many_prompts' }

describe.each(BOTH_DATABASES)('quotas on %s', (kind) => {
  let opened: OpenedDatabase
  beforeAll(async () => {
    opened = await openTestDatabase(kind)
  })
  afterAll(() => opened.remove())

  let names = 0
  const somebody = (network: string | null = null): Subjects => ({ visitor: `visitor-${(names += 1)}`, network, wide: null })
  const quotasAt = (clock: { now: number }) => new Quotas({ database: opened.database, now: () => clock.now, onFault: fail })

  test('admit as many as configured, and report the reset time', async () => {
    const quotas = quotasAt({ now: NOON + 15_000 })
    const visitor = somebody()
    const outcomes = []
    for (let prompt = 0; prompt < 4; prompt += 1) outcomes.push(await quotas.use([A_MINUTE], visitor))
    expect(outcomes.map(({ kind: outcome }) => outcome)).toEqual(['within', 'within', 'within', 'over'])
    expect(outcomes.at(-1)).toMatchObject({ usage: { quota: A_MINUTE, endsAt: NOON + 60_000 } })
  })

  test('admit exactly as many of concurrent requests', async () => {
    const quotas = quotasAt({ now: NOON })
    const visitor = somebody()
    const outcomes = await Promise.all(Array.from({ length: 12 }, () => quotas.use([A_MINUTE, A_DAY], visitor)))
    expect(outcomes.filter((outcome) => outcome.kind === 'within')).toHaveLength(3)
  })

  test('reset on the minute and on the day, and not before', async () => {
    const clock = { now: NOON }
    const quotas = quotasAt(clock)
    const visitor = somebody()
    const use = async () => (await quotas.use([A_MINUTE, A_DAY], visitor)).kind
    for (let prompt = 0; prompt < 3; prompt += 1) await use()
    clock.now = NOON + 59_999
    expect(await use()).toBe('over')
    clock.now = NOON + 60_000
    expect([await use(), await use(), await use()]).toEqual(['within', 'within', 'over'])
    clock.now = Date.UTC(2026, 10, 21, 23, 59, 59, 999)
    expect(await use()).toBe('over')
    clock.now = Date.UTC(2026, 10, 22)
    expect(await use()).toBe('within')
  })

  test('of a network are not used up by a visitor over their own quota', async () => {
    const quotas = quotasAt({ now: NOON })
    const greedy = somebody('shared')
    for (let prompt = 0; prompt < 10; prompt += 1) await quotas.use([A_MINUTE, OF_NETWORK], greedy)
    expect((await quotas.use([A_MINUTE, OF_NETWORK], somebody('shared'))).kind).toBe('within')
    expect((await quotas.use([A_MINUTE, OF_NETWORK], somebody('shared'))).kind).toBe('over')
  })

  test('count what is stored, and not what failed', async () => {
    const quotas = quotasAt({ now: NOON })
    const visitor = somebody()
    const stored = await opened.database.transaction().execute((transaction) => quotas.useWithin(transaction, [A_MINUTE], visitor))
    expect(stored).toMatchObject({ kind: 'within', usages: [{ used: 1 }] })
    const failing = opened.database.transaction().execute(async (transaction) => {
      expect(await quotas.useWithin(transaction, [A_MINUTE], visitor)).toMatchObject({ kind: 'within', usages: [{ used: 2 }] })
      throw new Error('It comes to nothing.')
    })
    await expect(failing).rejects.toThrow('It comes to nothing.')
    expect(await quotas.readUsage([A_MINUTE], visitor)).toMatchObject([{ used: 1 }])
  })

  test('are reported as exceeded by a check when one more would exceed them', async () => {
    const quotas = quotasAt({ now: NOON })
    const visitor = somebody()
    const checked = async () => (await quotas.check([A_MINUTE, A_DAY], visitor)).kind
    for (let prompt = 0; prompt < 2; prompt += 1) await quotas.use([A_MINUTE, A_DAY], visitor)
    expect([await checked(), await checked()]).toEqual(['within', 'within'])
    await quotas.use([A_MINUTE, A_DAY], visitor)
    expect(await checked()).toBe('over')
  })

  test('hold across restarts and processes', async () => {
    const visitor = somebody()
    for (let prompt = 0; prompt < 3; prompt += 1) await quotasAt({ now: NOON }).use([A_MINUTE], visitor)
    expect((await quotasAt({ now: NOON }).use([A_MINUTE], visitor)).kind).toBe('over')
  })

  test('are deleted when their window ends', async () => {
    const visitor = somebody()
    await quotasAt({ now: NOON - WINDOWS_MS.day }).use([A_MINUTE], visitor)
    expect(await purgeEnded(opened.database, 'quota_counts', NOON - WINDOWS_MS.hour, 1_000)).toBeGreaterThan(0)
    expect(await quotasAt({ now: NOON - WINDOWS_MS.day }).readUsage([A_MINUTE], visitor)).toMatchObject([{ used: 0 }])
  })

  test('identify a network by the same key in all processes for a day, and by another the next', async () => {
    const { own } = networkOf('203.0.113.7')
    const [one, other] = [new AddressKeys(opened.database), new AddressKeys(opened.database)]
    const keys = await Promise.all([one.keyOf(own, NOON), other.keyOf(own, NOON), one.keyOf(own, NOON + WINDOWS_MS.day)])
    expect(keys[0]).toBe(keys[1])
    expect(keys[0]).not.toBe(keys[2])
    expect(keys[0]).toMatch(/^[0-9a-f]{32}$/)
  })

  test('identify a network by a salt that is deleted after two days', async () => {
    const keys = new AddressKeys(opened.database)
    const today = Math.floor(NOON / WINDOWS_MS.day)
    for (const [days, kept] of [
      [7, [7]],
      [8, [7, 8]],
      [9, [8, 9]],
    ] as const) {
      await keys.keyOf('203.0.113.7', NOON + days * WINDOWS_MS.day)
      const salts = await opened.database.selectFrom('address_salts').select('day').orderBy('day').execute()
      expect(salts.map(({ day }) => day - today)).toEqual(kept)
    }
  })
})

test('are half as large, in memory, while the database is unavailable', async () => {
  const opened = await openTestDatabase('sqlite')
  await opened.remove()
  const faults: string[] = []
  const quotas = new Quotas({ database: opened.database, now: () => NOON, onFault: (message) => faults.push(message) })
  const visitor = { visitor: 'somebody', network: null, wide: null }
  const outcomes = []
  for (let prompt = 0; prompt < 4; prompt += 1) outcomes.push((await quotas.use([{ ...A_MINUTE, limit: 4 }], visitor)).kind)
  expect(outcomes).toEqual(['within', 'within', 'over', 'over'])
  expect(faults).toHaveLength(4)
  const other = { visitor: 'somebody else', network: null, wide: null }
  const checked = []
  for (let prompt = 0; prompt < 3; prompt += 1) checked.push((await quotas.check([{ ...A_MINUTE, limit: 4 }], other)).kind)
  expect(checked).toEqual(['within', 'within', 'over'])
})

test('of a network are not used up by a visitor over their own quota while the database is unavailable', async () => {
  const opened = await openTestDatabase('sqlite')
  await opened.remove()
  const quotas = new Quotas({ database: opened.database, now: () => NOON, onFault: () => undefined })
  const both = [
    { ...A_MINUTE, limit: 2 },
    { ...A_MINUTE, of: 'network' as const, limit: 6 },
  ]
  const use = async (visitor: string) => (await quotas.use(both, { visitor, network: 'n', wide: null })).kind
  expect([await use('one'), await use('one'), await use('one'), await use('one')]).toEqual(['within', 'over', 'over', 'over'])
  expect([await use('two'), await use('three'), await use('four')]).toEqual(['within', 'within', 'over'])
})

function fail(message: string, cause: unknown): never {
  throw new Error(message, { cause })
}
