import { isOverBudget, type ModelBudgetFor, type ModelBudgets } from '../store/turns/budgets.ts'

export type { ModelBudget } from '../store/turns/budgets.ts'

/** Commits with the first budget that can be reserved. Returns it, or the last rejection with the last budget. */
export async function commitWithinBudget<Committed extends { kind: string }>(
  budgets: ModelBudgets,
  commit: (budget: ModelBudgetFor) => Promise<Committed>,
): Promise<{ committed: Committed; budget: ModelBudgetFor }> {
  const [budget, next, ...rest] = budgets
  const committed = await commit(budget)
  return next && isOverBudget(committed) ? commitWithinBudget([next, ...rest], commit) : { committed, budget }
}
