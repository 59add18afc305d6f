import type { ReservationRequest } from '../store/turns/budgets.ts'
import { type Allowance, allowanceFor, type BudgetLimits, type Price, reservationsFor } from './budget.ts'

/** Staff have no visitor's accounts. */
const NO_SUBJECTS = { visitor: null, network: null, wide: null }

/** Budget of an answer to staff: the limit of one turn, within the installation's money. Unlimited for a model without a price. */
export function trialBudget(
  limits: BudgetLimits,
  { price, fallback }: { price: Price | null; fallback: { price: Price | null } | null },
  promptTokens: number,
  now: number,
): { model: 'primary'; reservations: readonly ReservationRequest[]; allowance: Allowance | undefined } {
  if (price === null) return { model: 'primary', reservations: [], allowance: undefined }
  const allowance = allowanceFor(limits, promptTokens)
  return { model: 'primary', reservations: reservationsFor(limits, NO_SUBJECTS, { price, fallback }, allowance, now), allowance }
}
