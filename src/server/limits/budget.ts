import { type Allowance, costOf as spentBy, type TokenPrices, type TokenUsage, type ReservationRequest } from '../store/turns/budgets.ts'
import { SHARDS } from '../store/turns/quotas.ts'
import { WINDOWS_MS } from './limit-settings.ts'
import type { Subjects } from './quotas.ts'

/** Price of a million tokens in the operator's currency. */
export interface Price {
  input: number
  output: number
  /** Prices of input that the provider reads from its cache, and that it stores there; `input` by default. */
  cacheRead?: number
  cacheWrite?: number
}

export interface BudgetLimits {
  turn: Allowance
  /** Daily limits (UTC) per visitor and per network. */
  tokensPerDay: number
  networkTokensPerDay: number
  /** Total limit in the operator's currency; null for none. */
  moneyPerDay: number | null
  moneyPerMonth: number | null
}

/** Money is counted in billionths, so a token's price is an integer. */
const BILLION = 1e9
const MILLION = 1e6

const IN_TOKENS = { inputPrice: 1, outputPrice: 1, code: 'daily_tokens_used' } as const
const NOTHING: TokenPrices = { inputPrice: 0, outputPrice: 0 }

/**
 * The reservation of a turn in each account, enough for the model or its fallback.
 * @param fallback The fallback model, if any; its price is null if it is free.
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
  // The same in both accounts of money, so that nobody holds one row while waiting for another.
  const shard = Math.floor(Math.random() * SHARDS)
  const inMoney = { ...moneyPrices(price), code: 'budget_exhausted' } as const
  const accounts = [
    subjects.visitor && {
      account: `tokens:visitor:${subjects.visitor}:${day}`,
      limit: 'tokensPerDay',
      cap: limits.tokensPerDay,
      endsAt: tomorrow,
      ...IN_TOKENS,
    },
    subjects.network && {
      account: `tokens:network:${subjects.network}:${day}`,
      limit: 'networkTokensPerDay',
      cap: limits.networkTokensPerDay,
      endsAt: tomorrow,
      ...IN_TOKENS,
    },
    ...moneyAccounts(limits, now).map(({ account, limit, cap, endsAt }) => ({ account, limit, cap, endsAt, shard, ...inMoney })),
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

/** The accounts of all answers' money at a time, for the limits that are set. `cap` is in billionths. */
export function moneyAccounts({ moneyPerDay, moneyPerMonth }: Pick<BudgetLimits, 'moneyPerDay' | 'moneyPerMonth'>, now: number) {
  const day = Math.floor(now / WINDOWS_MS.day) * WINDOWS_MS.day
  const { month, nextMonth } = monthOf(now)
  const ofDay = {
    period: 'day' as const,
    account: `money:day:${day}`,
    endsAt: day + WINDOWS_MS.day,
    limit: 'moneyPerDay',
    money: moneyPerDay,
  }
  const ofMonth = {
    period: 'month' as const,
    account: `money:month:${month}`,
    endsAt: nextMonth,
    limit: 'moneyPerMonth',
    money: moneyPerMonth,
  }
  return [ofDay, ofMonth].flatMap(({ money, ...account }) => (money === null ? [] : [{ ...account, cap: moneyUnits(money) }]))
}

/** Estimate of instructions and tools, sent once. */
const FIXED_TOKENS = 3_000
/** Estimate of a short chat and one lookup, both sent twice. */
const ONE_LOOKUP_TOKENS = 8_000

/** The limit of a turn, but at least what sending its prompt once takes. */
export function allowanceFor({ turn }: BudgetLimits, promptTokens: number): Allowance {
  return { inputTokens: Math.max(turn.inputTokens, promptTokens + FIXED_TOKENS), outputTokens: turn.outputTokens }
}

/** The reduced limit of a turn when an account is nearly used up: enough for one lookup. Null if it is not lower. */
export function smallAllowanceFor(limits: BudgetLimits, promptTokens: number): Allowance | null {
  const inputTokens = ONE_LOOKUP_TOKENS + 2 * promptTokens
  return inputTokens < limits.turn.inputTokens ? { inputTokens, outputTokens: limits.turn.outputTokens } : null
}

function fallbackPrices(price: Price | null, isInTokens: boolean): TokenPrices {
  if (price === null) return NOTHING
  return isInTokens ? { inputPrice: 1, outputPrice: 1 } : moneyPrices(price)
}

function moneyPrices({ input, output, cacheRead, cacheWrite }: Price): TokenPrices {
  return {
    inputPrice: perToken(input),
    outputPrice: perToken(output),
    ...(cacheRead !== undefined && { cacheReadPrice: perToken(cacheRead) }),
    ...(cacheWrite !== undefined && { cacheWritePrice: perToken(cacheWrite) }),
  }
}

function costOf({ inputPrice, outputPrice, cacheWritePrice = inputPrice }: TokenPrices, allowance: Allowance): number {
  return Math.ceil(allowance.inputTokens * Math.max(inputPrice, cacheWritePrice) + allowance.outputTokens * outputPrice)
}

function perToken(ofAMillion: number): number {
  return Math.ceil((ofAMillion * BILLION) / MILLION)
}

/** Cost of a turn in the operator's currency. */
export function moneyFor(usage: TokenUsage, price: Price): number {
  return spentBy(usage, moneyPrices(price)) / BILLION
}

/** Money as accounts count it: in billionths. */
export function moneyUnits(money: number): number {
  return Math.floor(money * BILLION)
}

export function moneyOf(units: number): number {
  return units / BILLION
}

function monthOf(now: number): { month: number; nextMonth: number } {
  const date = new Date(now)
  const [year, month] = [date.getUTCFullYear(), date.getUTCMonth()]
  return { month: Date.UTC(year, month), nextMonth: Date.UTC(year, month + 1) }
}
