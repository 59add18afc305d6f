import type { TokenPrices, ReservationRequest } from '../store/budgets.ts'
import { WINDOWS_MS } from './limit-settings.ts'
import type { Subjects } from './quotas.ts'

/** What a million tokens cost, in the operator's currency. */
export interface Price {
  input: number
  output: number
}

export interface BudgetLimits {
  /** The most that one turn may use. */
  turn: Allowance
  /** Of the chat before a prompt, what the model reads with it. */
  historyTokens: number
  /** Of one visitor, and of one network, in a day (UTC). */
  tokensPerDay: number
  networkTokensPerDay: number
  /** Of all together, in the operator's currency; null where there is no limit. */
  moneyPerDay: number | null
  moneyPerMonth: number | null
}

/** How much a turn may use. */
export interface Allowance {
  inputTokens: number
  outputTokens: number
}

/** Money is counted in billionths, of which a token costs a whole number at any usual price. */
const BILLION = 1e9
const MILLION = 1e6

/** One token is one unit of an account of tokens. */
const IN_TOKENS = { inputPrice: 1, outputPrice: 1, code: 'daily_tokens_used' } as const
const NOTHING: TokenPrices = { inputPrice: 0, outputPrice: 0 }

/**
 * What is to be set aside in each account that a turn is paid from: enough for whichever answers, the model or its fallback.
 * @param price Of the model.
 * @param fallback Of the model that may stand in; its price is null when nobody pays for it.
 * @param now Milliseconds since the epoch; must not jump.
 */
export function reservationsFor(
  limits: BudgetLimits,
  subjects: Subjects,
  { price, fallback }: { price: Price; fallback: { price: Price | null } | null },
  allowance: Allowance,
  now: number,
): ReservationRequest[] {
  const day = Math.floor(now / WINDOWS_MS.day) * WINDOWS_MS.day
  const tomorrow = day + WINDOWS_MS.day
  const { month, nextMonth } = monthOf(now)
  const inMoney = { inputPrice: perToken(price.input), outputPrice: perToken(price.output), code: 'budget_exhausted' } as const
  const accounts = [
    subjects.visitor && { account: `tokens:visitor:${subjects.visitor}:${day}`, cap: limits.tokensPerDay, endsAt: tomorrow, ...IN_TOKENS },
    subjects.network && {
      account: `tokens:network:${subjects.network}:${day}`,
      cap: limits.networkTokensPerDay,
      endsAt: tomorrow,
      ...IN_TOKENS,
    },
    limits.moneyPerDay !== null && { account: `money:day:${day}`, cap: units(limits.moneyPerDay), endsAt: tomorrow, ...inMoney },
    limits.moneyPerMonth !== null && { account: `money:month:${month}`, cap: units(limits.moneyPerMonth), endsAt: nextMonth, ...inMoney },
  ]
  return accounts.flatMap((account) => {
    if (!account) return []
    const amount = costOf(account, allowance)
    const retryAfterS = Math.max(1, Math.ceil((account.endsAt - now) / 1000))
    if (!fallback) return [{ ...account, amount, retryAfterS }]
    const other = fallbackPrices(fallback.price, account.code === IN_TOKENS.code)
    return [{ ...account, amount: Math.max(amount, costOf(other, allowance)), retryAfterS, fallback: other }]
  })
}

/** Instructions and tools, read once. */
const FIXED_TOKENS = 3_000
/** A short chat and one lookup, both read twice. */
const ONE_LOOKUP_TOKENS = 8_000

/** How much a turn may use: the limit, and never less than reading its prompt once takes. */
export function allowanceFor({ turn }: BudgetLimits, promptTokens: number): Allowance {
  return { inputTokens: Math.max(turn.inputTokens, promptTokens + FIXED_TOKENS), outputTokens: turn.outputTokens }
}

/** What a turn may use when an account is nearly used up: enough for one lookup. Null where that is no less than the usual. */
export function smallAllowanceFor(limits: BudgetLimits, promptTokens: number): Allowance | null {
  const inputTokens = ONE_LOOKUP_TOKENS + 2 * promptTokens
  return inputTokens < limits.turn.inputTokens ? { inputTokens, outputTokens: limits.turn.outputTokens } : null
}

function fallbackPrices(price: Price | null, isInTokens: boolean): TokenPrices {
  if (price === null) return NOTHING
  return isInTokens ? { inputPrice: 1, outputPrice: 1 } : { inputPrice: perToken(price.input), outputPrice: perToken(price.output) }
}

function costOf({ inputPrice, outputPrice }: TokenPrices, allowance: Allowance): number {
  return Math.ceil(allowance.inputTokens * inputPrice + allowance.outputTokens * outputPrice)
}

function perToken(ofAMillion: number): number {
  return Math.ceil((ofAMillion * BILLION) / MILLION)
}

function units(money: number): number {
  return Math.floor(money * BILLION)
}

function monthOf(now: number): { month: number; nextMonth: number } {
  const date = new Date(now)
  const [year, month] = [date.getUTCFullYear(), date.getUTCMonth()]
  return { month: Date.UTC(year, month), nextMonth: Date.UTC(year, month + 1) }
}
