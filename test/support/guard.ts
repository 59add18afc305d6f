import type { BudgetLimits } from '../../src/server/limits/budget.ts'
import { FairQueue } from '../../src/server/limits/fair-queue.ts'
import { Guard, type GuardOptions } from '../../src/server/limits/guard.ts'
import { type Limits, LIMITS } from '../../src/server/limits/limit-settings.ts'
import type { Database } from '../../src/server/store/engine/database.ts'

export const NOW = Date.UTC(2026, 9, 25)

export const DEFAULTS = Object.fromEntries(Object.entries(LIMITS).map(([name, { defaultValue }]) => [name, defaultValue])) as Record<
  keyof typeof LIMITS,
  number
>

export const BUDGETS: BudgetLimits = {
  turn: { inputTokens: 10_000, outputTokens: 0 },
  tokensPerDay: 1e9,
  networkTokensPerDay: 1e9,
  moneyPerDay: 1e6,
  moneyPerMonth: null,
}

export const FREE: GuardOptions['prices'] = { of: () => null, fallback: null }

/** The default limits with changes. */
export const limitsWith = (change: Partial<Limits>): Limits => ({ ...DEFAULTS, limitLoopback: false, ...change })

/** A guard of free models, without proof of work, whose clock stands still. */
export function guardWith(database: Database, limits: Partial<Limits>, change: Partial<GuardOptions> = {}): Guard {
  const values = { limits: limitsWith(limits), budgets: BUDGETS }
  return new Guard({
    database,
    values: () => values,
    queue: new FairQueue({ maxRunning: 10, maxPending: 10, maxWaitMs: 1, isSlow: () => false, now: () => 0 }),
    prices: FREE,
    proof: null,
    exemptsLoopback: true,
    isModerated: false,
    now: () => NOW,
    onFault: (message, cause) => {
      throw new Error(message, { cause })
    },
    ...change,
  })
}
