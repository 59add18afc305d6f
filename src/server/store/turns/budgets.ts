import { sql } from 'kysely'
import { readAdjustedLimits } from '../staff/adjusted-limits.ts'
import { changesRows, type Database } from '../engine/database.ts'

export interface TokenUsage {
  inputTokens: number
  outputTokens: number
  /** Parts of the input: read from the provider's cache, and stored there. */
  cacheReadTokens?: number
  cacheWriteTokens?: number
  usedFallback?: boolean
}

/** The price of one token, in the unit of an account. */
export interface TokenPrices {
  inputPrice: number
  outputPrice: number
  /** Prices of input that the provider read from its cache, and that it stored there; `inputPrice` by default. */
  cacheReadPrice?: number
  cacheWritePrice?: number
}

/** An amount that an account reserves for a turn until its usage is known, in the account's unit. */
export interface BudgetReservation extends TokenPrices {
  account: string
  amount: number
  fallback?: TokenPrices
}

/** Granted while everything spent and reserved in the account stays within `cap`, and within what staff have lowered it to. */
export interface ReservationRequest extends BudgetReservation {
  cap: number
  /** Name under which staff can lower the cap. */
  limit: string
  code: BudgetCode
  /** When the account's period ends, and how many seconds after the request that is. */
  endsAt: number
  retryAfterS: number
}

const BUDGET_CODES = ['daily_tokens_used', 'budget_exhausted'] as const
export type BudgetCode = (typeof BUDGET_CODES)[number]

/** Whether an account had no room: the only rejection that a cheaper turn may avoid. */
export function isOverBudget(outcome: { kind: string; code?: unknown }): boolean {
  return outcome.kind === 'rejected' && BUDGET_CODES.includes(outcome.code as BudgetCode)
}

/** A model that may answer, the reservations for it, and how much it may use; without `allowance`, the limit of one turn. */
export interface ModelBudget {
  model: 'primary' | 'fallback'
  reservations: readonly ReservationRequest[]
  allowance: Allowance | undefined
}

export type Allowance = Pick<TokenUsage, 'inputTokens' | 'outputTokens'>

/** The budget for a turn of this agent; the same on every call. */
export type ModelBudgetFor = (agent: string) => ModelBudget

/** In order of preference. */
export type ModelBudgets = readonly [ModelBudgetFor, ...ModelBudgetFor[]]

export type ReservationsFor = (agent: string) => readonly ReservationRequest[]

/**
 * Makes all reservations within a transaction. If some exceed their caps, returns the one whose account reopens last, and the caller must
 * roll back. One statement per account, so concurrent turns can't overspend.
 */
export async function reserveBudgets(
  transaction: Database,
  requests: readonly ReservationRequest[],
): Promise<ReservationRequest | undefined> {
  // PostgreSQL locks accounts in this order, so two turns never wait for each other.
  const inOrder = requests.toSorted((one, other) => (one.account < other.account ? -1 : 1))
  for (const [index, reservation] of inOrder.entries())
    if (!(await reserveInAccount(transaction, reservation))) return lastToReopen(transaction, reservation, inOrder.slice(index + 1))
  return undefined
}

/** The exhausted account that reopens last; until then no reservation succeeds. */
async function lastToReopen(
  transaction: Database,
  closed: ReservationRequest,
  others: readonly ReservationRequest[],
): Promise<ReservationRequest> {
  const used = await readAccounts(
    transaction,
    others.map(({ account }) => account),
  )
  const caps = await capsInForce(transaction)
  const alsoClosed = others.filter((other) => (used.get(other.account) ?? 0) + other.amount > caps(other))
  return [closed, ...alsoClosed].reduce((last, reservation) => (reservation.endsAt > last.endsAt ? reservation : last))
}

type Capped = Pick<ReservationRequest, 'limit' | 'cap'>

/** Caps, or what staff have lowered them to. */
async function capsInForce(transaction: Database): Promise<(of: Capped) => number> {
  const adjusted = await readAdjustedLimits(transaction)
  return ({ limit, cap }) => Math.min(cap, adjusted.get(limit)?.value ?? cap)
}

async function reserveInAccount(transaction: Database, request: ReservationRequest): Promise<boolean> {
  if (await reserveBudget(transaction, request)) return true
  await transaction
    .insertInto('budgets')
    .values({ account: request.account, spent: 0, reserved: 0, ends_at: request.endsAt })
    .onConflict((conflict) => conflict.column('account').doNothing())
    .execute()
  return reserveBudget(transaction, request)
}

/**
 * Returns false if it exceeds the cap or the account doesn't exist yet. Reads what staff have lowered the cap to as it reserves, so that no
 * process can overspend because it doesn't know of the change yet. The subquery names nothing of the account: PostgreSQL would make
 * `not exists` a join, which it doesn't repeat for an account that it waited for.
 */
async function reserveBudget(transaction: Database, { account, amount, cap, limit }: ReservationRequest): Promise<boolean> {
  const used = sql<number>`spent + reserved + ${amount}`
  const adjusted = transaction.selectFrom('adjusted_limits').select('value').where('name', '=', limit)
  return changesRows(
    transaction
      .updateTable('budgets')
      .set({ reserved: sql`reserved + ${amount}` })
      .where('account', '=', account)
      .where(used, '<=', cap)
      .where(used, '<=', sql<number>`coalesce((${adjusted}), ${cap})`),
  )
}

export function costOf(
  { inputTokens, outputTokens, cacheReadTokens = 0, cacheWriteTokens = 0 }: TokenUsage,
  { inputPrice, outputPrice, cacheReadPrice = inputPrice, cacheWritePrice = inputPrice }: TokenPrices,
): number {
  const plain = Math.max(0, inputTokens - cacheReadTokens - cacheWriteTokens)
  return Math.ceil(plain * inputPrice + cacheReadTokens * cacheReadPrice + cacheWriteTokens * cacheWritePrice + outputTokens * outputPrice)
}

/** Replaces reservations by what was spent; the whole reservation if the usage is unknown, as after a crash. */
export async function settleBudgets(
  transaction: Database,
  reservations: readonly BudgetReservation[],
  usage: TokenUsage | null,
): Promise<void> {
  for (const reservation of reservations.toSorted((one, other) => (one.account < other.account ? -1 : 1))) {
    const { account, amount } = reservation
    const spent = usage ? costOf(usage, (usage.usedFallback && reservation.fallback) || reservation) : amount
    await transaction
      .updateTable('budgets')
      .set({ reserved: sql`reserved - ${amount}`, spent: sql`spent + ${spent}` })
      .where('account', '=', account)
      .execute()
  }
}

/** `reserveBudgets` in a transaction of its own, which reserves nothing if it returns an account. */
export async function reserveBudgetsAlone(
  database: Database,
  requests: readonly ReservationRequest[],
): Promise<ReservationRequest | undefined> {
  if (requests.length === 0) return undefined
  const noRoom = new Error('no room')
  let closed: ReservationRequest | undefined
  try {
    await database.transaction().execute(async (transaction) => {
      closed = await reserveBudgets(transaction, requests)
      if (closed) throw noRoom
    })
    return undefined
  } catch (error) {
    if (error === noRoom) return closed
    throw error
  }
}

/** Settles reservations in a transaction of its own. `usage` is `null` if the model reported none. */
export async function settleBudgetsAlone(
  database: Database,
  reservations: readonly BudgetReservation[],
  usage: TokenUsage | null,
): Promise<void> {
  if (reservations.length > 0) await database.transaction().execute((transaction) => settleBudgets(transaction, reservations, usage))
}

/** Sums spent and reserved amounts by account; unused accounts are absent. */
export async function readAccounts(database: Database, accounts: readonly string[]): Promise<Map<string, number>> {
  if (accounts.length === 0) return new Map()
  const rows = await database.selectFrom('budgets').select(['account', 'spent', 'reserved']).where('account', 'in', accounts).execute()
  return new Map(rows.map(({ account, spent, reserved }) => [account, spent + reserved]))
}

const STORED: (keyof BudgetReservation)[] = [
  'account',
  'amount',
  'inputPrice',
  'outputPrice',
  'cacheReadPrice',
  'cacheWritePrice',
  'fallback',
]

/** The reservations as a turn stores them; `null` if it costs nothing. */
export function serializeReservations(reservations: readonly ReservationRequest[]): string | null {
  return reservations.length > 0 ? JSON.stringify(reservations, STORED) : null
}
