import type { TokenCaps } from '../../contract/staff/tokens.ts'
import { type Rejection, rejection } from '../../contract/rejection.ts'
import type { LimitValues } from './adjustable-limits.ts'
import type { FairQueue } from './fair-queue.ts'
import type { Quota } from './limit-settings.ts'
import type { ModelBudget } from '../store/turns/budgets.ts'
import { type BudgetParts, modelBudgets } from './model-budgets.ts'
import { Quotas, type QuotasOptions } from './quotas.ts'

export interface LimitedToken {
  id: string
  caps: TokenCaps
}

export interface TokenLimitsOptions extends QuotasOptions {
  values: () => LimitValues
  queue: FairQueue
  prices: BudgetParts['prices']
}

/** Counted requests, and how many of each a prompt may have: Open WebUI asks for a title, tags, follow-ups and search queries. */
const COUNTED = { prompt: 1, lookup: 1, housekeeping: 4 } as const
const BUSY_RETRY_S = 5

/** Limits of tokens: own caps instead of those of visitors and networks. The queue, the limits of a turn and money are everybody's. */
export class TokenLimits {
  readonly #options: TokenLimitsOptions
  readonly #quotas: Quotas

  constructor(options: TokenLimitsOptions) {
    this.#options = options
    this.#quotas = new Quotas(options)
  }

  async count({ id, caps }: LimitedToken, what: keyof typeof COUNTED): Promise<Rejection | undefined> {
    const { promptsPerMinute, promptsPerDay } = caps
    const quotas: Quota[] = [
      { what, of: 'visitor', window: 'minute', limit: promptsPerMinute * COUNTED[what], code: 'too_many_prompts' },
      { what, of: 'visitor', window: 'day', limit: promptsPerDay * COUNTED[what], code: 'daily_prompts_used' },
    ]
    const outcome = await this.#quotas.use(quotas, subjectsOf(id))
    if (outcome.kind === 'within') return undefined
    const { quota, endsAt } = outcome.usage
    return rejection(quota.code, { retryAfterS: Math.max(1, Math.ceil((endsAt - this.#options.now()) / 1000)) })
  }

  /** Waits for a place among all answers. Returns the function that leaves it, the rejection, or that the client left. */
  async enter({ id }: LimitedToken, gone: AbortSignal): Promise<(() => void) | 'left' | Rejection> {
    const entry = await this.#options.queue.enter({ lane: `token:${id}`, gone: () => gone })
    if (entry.kind === 'entered') return entry.leave
    if (entry.kind === 'left') return 'left'
    return rejection(entry.kind === 'closed' ? 'shutting_down' : 'server_busy', { retryAfterS: BUSY_RETRY_S })
  }

  budgets({ id, caps }: LimitedToken, agent: string, promptTokens: number): ModelBudget[] {
    const { values, prices, now } = this.#options
    const budgets = { ...values().budgets, tokensPerDay: caps.tokensPerDay }
    return modelBudgets({ budgets, subjects: subjectsOf(id), prices, promptTokens, at: now() }).map((budgetFor) => {
      const budget = budgetFor(agent)
      // Staff lower the tokens of visitors, not of tokens, under this name.
      const reservations = budget.reservations.map((one) => (one.limit === 'tokensPerDay' ? { ...one, limit: 'tokensPerDay:token' } : one))
      return { ...budget, reservations }
    })
  }
}

const subjectsOf = (id: string) => ({ visitor: `token:${id}`, network: null, wide: null })
