import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { BOTH_DATABASES } from '../../../../test/support/databases.ts'
import { openTestDatabase } from '../../../../test/support/test-database.ts'
import {
  isOverBudget,
  readAccounts,
  type ReservationRequest,
  reserveBudgets,
  reserveBudgetsAlone,
  reserving,
  serializeReservations,
  settleBudgetsAlone,
} from './budgets.ts'
import { adjustLimit } from '../staff/adjusted-limits.ts'
import type { Database } from '../engine/database.ts'
import { purgeEnded } from '../sessions/retention.ts'

test.each([
  ['daily_tokens_used', true],
  ['budget_exhausted', true],
  ['too_many_requests', false],
])('the rejection "%s" is one of a budget: %s', (code, isBudget) => {
  expect(isOverBudget({ kind: 'rejected', code })).toBe(isBudget)
  expect(isOverBudget({ kind: 'accepted', code })).toBe(false)
})

describe.each(BOTH_DATABASES)('budgets on %s', (kind) => {
  let database: Database
  let remove: () => Promise<void>
  beforeAll(async () => {
    ;({ database, remove } = await openTestDatabase(kind))
  })
  afterAll(() => remove())

  const request = (account: string, change: Partial<ReservationRequest> = {}): ReservationRequest => ({
    account,
    limit: 'none',
    amount: 10,
    cap: 25,
    inputPrice: 2,
    outputPrice: 3,
    code: 'budget_exhausted',
    endsAt: 100,
    retryAfterS: 1,
    ...change,
  })
  const used = async (...accounts: string[]) => Object.fromEntries(await readAccounts(database, accounts))

  test('are stored with the prices of cached input, and nothing of the request', () => {
    const prices = { inputPrice: 2, outputPrice: 3, cacheReadPrice: 1, cacheWritePrice: 4 }
    expect(JSON.parse(serializeReservations(database, [request('a', prices)]) ?? '')).toEqual([
      { account: 'a', amount: expect.any(Number), ...prices },
    ])
    expect(serializeReservations(database, [])).toBeNull()
  })

  test('reserve in every account or in none', async () => {
    expect(await reserveBudgetsAlone(database, [request('a'), request('b')])).toBeUndefined()
    expect(await reserveBudgetsAlone(database, [request('b'), request('a', { cap: 19 })])).toMatchObject({ account: 'a' })
    expect([await used('a', 'b', 'unused'), await used()]).toEqual([{ a: 10, b: 10 }, {}])
  })

  test('name the full account that reopens last, and of two that reopen at once the first', async () => {
    await reserveBudgetsAlone(database, [request('c'), request('d'), request('e')])
    const full = async (...endsAt: number[]) => {
      const requests = ['c', 'd', 'e'].map((account, index) => request(account, { cap: 15, endsAt: endsAt[index]! }))
      return (await reserveBudgets(database, requests))?.account
    }
    expect([await full(1, 3, 2), await full(2, 1, 2), await full(1, 2, 3)]).toEqual(['d', 'c', 'e'])
  })

  test('replace a reservation by what was spent, at the price of the model that spent it', async () => {
    const reserved = request('f', { fallback: { inputPrice: 1, outputPrice: 0 } })
    await reserveBudgetsAlone(database, [reserved, request('g')])
    await settleBudgetsAlone(database, [reserved], { inputTokens: 1, outputTokens: 1 })
    expect(await used('f', 'g')).toEqual({ f: 5, g: 10 })
    await reserveBudgetsAlone(database, [reserved])
    await settleBudgetsAlone(database, [reserved], { inputTokens: 1, outputTokens: 1, usedFallback: true })
    expect(await used('f')).toEqual({ f: 6 })
    await reserveBudgetsAlone(database, [reserved])
    await settleBudgetsAlone(database, [reserved], null)
    await settleBudgetsAlone(database, [], null)
    expect(await used('f')).toEqual({ f: 16 })
  })

  const shared = (account: string, change: Partial<ReservationRequest> = {}) =>
    request(account, { shard: Math.floor(Math.random() * 16), inputPrice: 1, outputPrice: 1, ...change })
  /** Makes reservations at once. Returns those that were made. */
  const reserveAll = async (requests: ReservationRequest[]) => {
    const closed = await Promise.all(requests.map((one) => reserveBudgetsAlone(database, [one])))
    return requests.filter((_, index) => closed[index] === undefined)
  }

  test('that all share take what fits of fifty reservations at once, and no more', async () => {
    for (const cap of [205, 51_250]) {
      const account = `shared ${cap}`
      const wanted = Array.from({ length: 50 }, () => shared(account, { cap, amount: cap / 20.5 }))
      const made = await reserveAll(wanted)
      expect([made.length, (await used(account))[account]]).toEqual([20, (cap / 20.5) * 20])
      // What was reserved and not spent is there again, whichever row it comes back to.
      await Promise.all(made.map((one) => settleBudgetsAlone(database, [one], { inputTokens: 1, outputTokens: 0 })))
      expect(await used(account)).toEqual({ [account]: 20 })
      expect(await reserveAll([shared(account, { cap, amount: cap - 20 })])).toHaveLength(1)
      expect(await reserveAll([shared(account, { cap, amount: 1 })])).toEqual([])
    }
  })

  test('that all share never exceed a cap, while amounts differ, answers end and the cap is lowered', async () => {
    const [account, limit] = ['shared at random', 'random']
    const running: ReservationRequest[] = []
    let cap = 10_000
    for (let round = 0; round < 30; round += 1) {
      const before = (await used(account))[account] ?? 0
      const wanted = Array.from({ length: 8 }, () => shared(account, { limit, cap: 10_000, amount: 1 + Math.floor(Math.random() * 400) }))
      const ending = running.splice(0, round % 4)
      const usage = { inputTokens: 1, outputTokens: 0 }
      const [made] = await Promise.all([
        reserveAll(wanted),
        ...ending.map((one) => settleBudgetsAlone(database, [one], round % 3 === 0 ? null : usage)),
      ])
      running.push(...made)
      const after = (await used(account))[account] ?? 0
      expect(after).toBeLessThanOrEqual(Math.max(cap, before))
      if (round % 10 === 9) {
        cap = Math.ceil(after / 2) + round * 100
        await adjustLimit(
          database,
          { name: limit, value: cap, changedAt: 1, changedBy: 'ada' },
          () => true,
          async () => undefined,
        )
      }
    }
  })

  test.runIf(kind === 'postgres')('that all share keep nobody waiting for a transaction that has reserved', async () => {
    const ofShard = (shard: number) => shared('unhurried', { shard, cap: 1_000_000 })
    await reserveAll([ofShard(0)])
    const open = Promise.withResolvers<void>()
    const reserved = Promise.withResolvers<void>()
    const slow = reserving(database, async (transaction) => {
      expect(await reserveBudgets(transaction, [ofShard(1)])).toBeUndefined()
      reserved.resolve()
      await open.promise
    })
    await reserved.promise
    expect(await reserveAll([ofShard(2), ofShard(3)])).toHaveLength(2)
    open.resolve()
    await slow
    expect(await used('unhurried')).toEqual({ unhurried: 40 })
  })

  test('are deleted when their period is over, some at a time', async () => {
    for (const [account, endsAt] of [
      ['old 1', 10],
      ['old 2', 10],
      ['now', 20],
    ] as const)
      await reserveBudgetsAlone(database, [request(account, { endsAt })])
    expect([
      await purgeEnded(database, 'budgets', 20, 1),
      await purgeEnded(database, 'budgets', 20, 9),
      await purgeEnded(database, 'budgets', 20, 9),
    ]).toEqual([1, 1, 0])
    expect(Object.keys(await used('old 1', 'old 2', 'now'))).toEqual(['now'])
  })
})
