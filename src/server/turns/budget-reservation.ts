import type { ModelChoice, Tokens } from '../agent/agent.ts'
import type { WantedHold } from '../store/budgets.ts'
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
  offers: [() => ({ model: 'usual', holds: [], allowance: undefined })],
  count: async () => undefined,
} satisfies { offers: Offers; count: CountStored }

/** Commits on the first terms that can be paid for; otherwise the refusal of the last stands. */
export async function commitWithin<Committed extends { kind: string }>(
  offers: Offers,
  commit: (offer: OfferFor) => Promise<Committed>,
): Promise<Committed> {
  const [offer, next, ...rest] = offers
  const committed = await commit(offer)
  return committed.kind === 'unpaid' && next ? commitWithin([next, ...rest], commit) : committed
}
