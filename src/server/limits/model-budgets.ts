import type { Allowance, ModelBudget, ModelBudgetFor, ModelBudgets } from '../store/turns/budgets.ts'
import { allowanceFor, type BudgetLimits, type Price, reservationsFor, smallAllowanceFor } from './budget.ts'
import { NO_SUBJECTS, type Subjects } from './quotas.ts'

export interface BudgetParts {
  budgets: BudgetLimits
  subjects: Subjects
  /** Prices of an agent's models and of the fallback; null if free or not configured. */
  prices: { of: (agent: string) => Price | null; fallback: { price: Price | null } | null }
  promptTokens: number
  at: number
}

type TrialParts = Pick<BudgetParts, 'budgets' | 'promptTokens' | 'at'> & Pick<BudgetParts['prices'], 'fallback'> & { price: Price | null }

/** The agent's model, the same for less, and the fallback model, where there is one. */
export function modelBudgets({ budgets, subjects, prices: { of: priceOf, fallback }, promptTokens, at }: BudgetParts): ModelBudgets {
  const allowance = allowanceFor(budgets, promptTokens)
  const small = smallAllowanceFor(budgets, promptTokens)
  const budgetFor = (model: ModelBudget['model'], price: Price | null, of = allowance): ModelBudget => {
    if (price === null) return { model, reservations: [], allowance: undefined }
    const inPlace = { price, fallback: model === 'fallback' ? null : fallback }
    return { model, reservations: reservationsFor(budgets, subjects, inPlace, of, at), allowance: of }
  }
  const primary = (of?: Allowance) => (agent: string) => budgetFor('primary', priceOf(agent), of)
  const others: ModelBudgetFor[] = []
  if (small) others.push(primary(small))
  if (fallback) others.push(() => budgetFor('fallback', fallback.price))
  return [primary(), ...others]
}

/** Budget of an answer to staff: the limit of one turn, within the installation's money. */
export function trialBudget({ price, fallback, ...parts }: TrialParts): ModelBudget {
  const [primary] = modelBudgets({ ...parts, subjects: NO_SUBJECTS, prices: { of: () => price, fallback } })
  return primary('')
}
