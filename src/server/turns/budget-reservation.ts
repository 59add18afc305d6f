import type { ModelChoice, Tokens } from '../agent/agent.ts'
import { isOverBudget, type WantedHold } from '../store/budgets.ts'
import type { CountStored } from '../store/quotas.ts'

/** Which model may answer, what is set aside for it, and how much it may use; without an allowance, what one turn may. */
export interface Offer {
  model: ModelChoice
  holds: readonly WantedHold[]
  allowance: Tokens | undefined
}

/** The terms of a turn of this agent, the same whenever they are asked for. */
export type OfferFor = (agent: string) => Offer

/** The first that can be paid for is taken. */
export type Offers = readonly [OfferFor, ...OfferFor[]]

/** The usual model, where nobody counts what it costs, nor how often it is asked. */
export const UNCOUNTED = {
  offers: [() => ({ model: 'primary', holds: [], allowance: undefined })],
  count: async () => undefined,
} satisfies { offers: Offers; count: CountStored }

/** Commits with the first offer that the budget allows; returns the last rejection if it allows none, and the offer that was tried last. */
export async function commitWithin<Committed extends { kind: string }>(
  offers: Offers,
  commit: (offer: OfferFor) => Promise<Committed>,
): Promise<{ committed: Committed; offer: OfferFor }> {
  const [offer, next, ...rest] = offers
  const committed = await commit(offer)
  return next && isOverBudget(committed) ? commitWithin([next, ...rest], commit) : { committed, offer }
}
