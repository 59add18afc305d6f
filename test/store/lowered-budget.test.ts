import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { adjustLimit } from '../../src/server/store/staff/adjusted-limits.ts'
import { type ReservationRequest, readAccounts, reserveBudgetsAlone } from '../../src/server/store/turns/budgets.ts'
import { BOTH_DATABASES } from '../support/databases.ts'
import { type OpenedDatabase, openTestDatabase } from '../support/test-database.ts'

const record = async () => undefined

describe.each(BOTH_DATABASES)('a budget that staff lower on %s', (kind) => {
  let opened: OpenedDatabase
  beforeAll(async () => {
    opened = await openTestDatabase(kind)
  })
  afterAll(() => opened.remove())

  const lower = (limit: string, value: number) =>
    adjustLimit(opened.database, { name: limit, value, changedAt: 1, changedBy: 'ada' }, () => true, record)
  const reserve = async (account: string, limit: string, amount: number, cap = 100) => {
    const request: ReservationRequest = {
      account,
      limit,
      amount,
      cap,
      inputPrice: 1,
      outputPrice: 1,
      code: 'budget_exhausted',
      endsAt: 1e15,
      retryAfterS: 1,
    }
    return (await reserveBudgetsAlone(opened.database, [request])) === undefined
  }

  test('never has a reservation above it that began after the change, whatever the process believes', async () => {
    for (let round = 0; round < 8; round += 1) {
      const [account, limit] = [`money:${round}`, `budget${round}`]
      const lowered = 10 + round * 7
      const changing = lower(limit, lowered)
      const early = Array.from({ length: 4 }, () => reserve(account, limit, 9))
      await changing
      // Each still asks with the old cap of 100.
      const atChange = (await readAccounts(opened.database, [account])).get(account) ?? 0
      await Promise.all([...early, ...Array.from({ length: 12 }, () => reserve(account, limit, 9))])
      const reserved = (await readAccounts(opened.database, [account])).get(account) ?? 0
      expect(reserved).toBeLessThanOrEqual(Math.max(lowered, atChange + 4 * 9))
      expect(await reserve(account, limit, lowered)).toBe(false)
    }
  })

  test('lets nothing in at zero, everything up to it, and never more than the cap of the environment', async () => {
    await lower('none', 0)
    expect(await reserve('a', 'none', 1)).toBe(false)
    await lower('some', 10)
    expect(await reserve('b', 'some', 10)).toBe(true)
    expect(await reserve('b', 'some', 1)).toBe(false)
    await lower('high', 1_000)
    expect(await reserve('c', 'high', 101)).toBe(false)
    expect(await reserve('c', 'high', 100)).toBe(true)
  })
})
