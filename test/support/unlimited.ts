import type { ModelBudgets } from '../../src/server/store/turns/budgets.ts'
import type { CountStored } from '../../src/server/store/turns/quotas.ts'

/** A turn that no budget or quota limits. */
export const UNLIMITED = {
  budgets: [() => ({ model: 'primary', reservations: [], allowance: undefined })],
  count: async () => undefined,
} satisfies { budgets: ModelBudgets; count: CountStored }
