import { readAccounts } from '../store/turns/budgets.ts'
import type { Database } from '../store/engine/database.ts'
import { type BudgetLimits, moneyAccounts, moneyOf } from './budget.ts'

/** Money spent and reserved in a period, and its limit, in the operator's currency. */
export interface MoneyUsed {
  period: 'day' | 'month'
  used: number
  limit: number
}

/** The budgets of all answers, at `now` in milliseconds since the epoch; none without a limit. */
export async function moneyUsed(database: Database, limits: BudgetLimits, now: number): Promise<MoneyUsed[]> {
  const accounts = moneyAccounts(limits, now)
  if (accounts.length === 0) return []
  const used = await readAccounts(
    database,
    accounts.map(({ account }) => account),
  )
  return accounts.map(({ account, period, cap }) => ({ period, used: moneyOf(used.get(account) ?? 0), limit: moneyOf(cap) }))
}
