import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { BOTH_DATABASES } from '../../../../test/support/databases.ts'
import { openTestDatabase } from '../../../../test/support/test-database.ts'
import { isOverBudget, readAccounts, type ReservationRequest, reserveBudgets, reserveBudgetsAlone, settleBudgetsAlone } from './budgets.ts'
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
