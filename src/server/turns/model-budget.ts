import type { ModelChoice, Tokens } from '../answering/agents/agent.ts'
import { isOverBudget, type ReservationRequest } from '../store/turns/budgets.ts'
import type { CountStored } from '../store/turns/quotas.ts'

/** A model that may answer, the reservations for it, and how much it may use; without `allowance`, the limit of one turn. */
export interface ModelBudget {
  model: ModelChoice
  reservations: readonly ReservationRequest[]
  allowance: Tokens | undefined
}

/** The budget for a turn of this agent; the same on every call. */
export type ModelBudgetFor = (agent: string) => ModelBudget

/** In order of preference. */
export type ModelBudgets = readonly [ModelBudgetFor, ...ModelBudgetFor[]]

export const UNLIMITED = {
  budgets: [() => ({ model: 'primary', reservations: [], allowance: undefined })],
  count: async () => undefined,
} satisfies { budgets: ModelBudgets; count: CountStored }

/** Commits with the first budget that can be reserved. Returns it, or the last rejection with the last budget. */
export async function commitWithinBudget<Committed extends { kind: string }>(
  budgets: ModelBudgets,
  commit: (budget: ModelBudgetFor) => Promise<Committed>,
): Promise<{ committed: Committed; budget: ModelBudgetFor }> {
  const [budget, next, ...rest] = budgets
  const committed = await commit(budget)
  return next && isOverBudget(committed) ? commitWithinBudget([next, ...rest], commit) : { committed, budget }
}
