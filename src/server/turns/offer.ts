import type { ModelChoice, Tokens } from '../agent/agent.ts'
import type { WantedHold } from '../store/budgets.ts'

/** Which model may answer, what is set aside for it, and how much it may use; without an allowance, what one turn may. */
export interface Offer {
  model: ModelChoice
  holds: readonly WantedHold[]
  allowance: Tokens | undefined
}

/** The first that can be paid for is taken. */
export type Offers = readonly [Offer, ...Offer[]]

/** The usual model, where nobody counts what it costs. */
export const UNCOUNTED: Offers = [{ model: 'usual', holds: [], allowance: undefined }]
