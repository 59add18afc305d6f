import { afterEach, beforeEach, expect, test } from 'vitest'
import { type OpenedDatabase, openTestDatabase } from '../../../test/support/test-database.ts'
import type { BudgetLimits } from './budget.ts'
import { moneyUsed } from './money-used.ts'

let opened: OpenedDatabase
beforeEach(async () => {
  opened = await openTestDatabase('sqlite')
})
afterEach(() => opened.remove())

const limits = (moneyPerDay: number | null, moneyPerMonth: number | null): BudgetLimits => ({
  turn: { inputTokens: 1, outputTokens: 1 },
  tokensPerDay: 1,
  networkTokensPerDay: 1,
  moneyPerDay,
  moneyPerMonth,
})

test('nothing is reported where the operator limits no money', async () => {
  expect(await moneyUsed(opened.database, limits(null, null), 0)).toEqual([])
})

test('what is unspent is reported as none of the limit, in the operator’s currency', async () => {
  expect(await moneyUsed(opened.database, limits(2.5, 40), Date.UTC(2026, 9, 25))).toEqual([
    { period: 'day', used: 0, limit: 2.5 },
    { period: 'month', used: 0, limit: 40 },
  ])
})
