import { sql } from 'kysely'
import { readAdjustedLimits } from '../staff/adjusted-limits.ts'
import { changesRows, type Database, isEmbedded } from '../engine/database.ts'
import { SHARDS } from './quotas.ts'

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
  /** For an account that all visitors share: which of its rows reserves on PostgreSQL. Its value is their sum. */
  shard?: number | undefined
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
 * Makes all reservations within a transaction of `reserving`. If some exceed their caps, returns the one whose account reopens last, and
 * the caller must roll back. One statement per account, so concurrent turns can't overspend.
 */
export async function reserveBudgets(
  transaction: Database,
  requests: readonly ReservationRequest[],
): Promise<ReservationRequest | undefined> {
  // PostgreSQL locks accounts in this order, so two turns never wait for each other.
  const inOrder = requests.toSorted((one, other) => (one.account < other.account ? -1 : 1))
  for (const [index, reservation] of inOrder.entries()) {
    const isReserved = isSharded(transaction, reservation)
      ? reserveInShard(transaction, reservation)
      : reserveInAccount(transaction, reservation)
    if (!(await isReserved)) return lastToReopen(transaction, reservation, inOrder.slice(index + 1))
  }
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

/** Caps, or what staff have lowered them to. */
async function capsInForce(transaction: Database): Promise<(of: Pick<ReservationRequest, 'limit' | 'cap'>) => number> {
  const adjusted = await readAdjustedLimits(transaction)
  return ({ limit, cap }) => Math.min(cap, adjusted.get(limit)?.value ?? cap)
}

async function reserveInAccount(transaction: Database, request: ReservationRequest): Promise<boolean> {
  if (await reserveBudget(transaction, request)) return true
  await openRows(transaction, [request.account], request.endsAt)
  return reserveBudget(transaction, request)
}

/**
 * Returns false if it exceeds the cap or the account doesn't exist yet. Reads what staff have lowered the cap to as it reserves, so that no
 * process can overspend because it doesn't know of the change yet. The subquery names nothing of the account: PostgreSQL would make
 * `not exists` a join, which it doesn't repeat for an account that it waited for.
 */
async function reserveBudget(transaction: Database, { account, amount, cap, limit, shard }: ReservationRequest): Promise<boolean> {
  // On SQLite, rows that came from PostgreSQL count too.
  const sum = transaction.selectFrom('budgets').select(sql`sum(spent + reserved)`.as('sum')).where('account', 'in', rowsOf(account))
  const used = shard === undefined ? sql<number>`spent + reserved + ${amount}` : sql<number>`(${sum}) + ${amount}`
  return changesRows(
    transaction
      .updateTable('budgets')
      .set({ reserved: sql`reserved + ${amount}` })
      .where('account', '=', account)
      .where(used, '<=', cap)
      .where(used, '<=', sql<number>`coalesce((${adjustedCap(transaction, limit)}), ${cap})`),
  )
}

const adjustedCap = (transaction: Database, limit: string) =>
  transaction.selectFrom('adjusted_limits').select('value').where('name', '=', limit)

const isSharded = (database: Database, { shard }: BudgetReservation) => shard !== undefined && !isEmbedded(database)

/** Transactions that hold all rows of shared accounts. */
const granting = new WeakSet<Database>()

class GrantUsedUp extends Error {
  readonly request: ReservationRequest

  constructor(request: ReservationRequest) {
    super('The row needs a new grant')
    this.request = request
  }
}

const MAX_GRANTS = 4

/** Runs a transaction that reserves. Runs it again if a row of a shared account needs a new grant; at last with all rows locked. */
export async function reserving<T>(database: Database, run: (transaction: Database) => Promise<T>): Promise<T> {
  for (let grants = 0; grants < MAX_GRANTS; grants += 1) {
    try {
      return await database.transaction().execute(run)
    } catch (error) {
      if (!(error instanceof GrantUsedUp)) throw error
      // Alone, because those who wait for the rows find theirs granted, and others don't wait for a whole turn to be stored.
      if (!(await database.transaction().execute((transaction) => grant(transaction, error.request, 0)))) break
    }
  }
  return database.transaction().execute((transaction) => {
    granting.add(transaction)
    return run(transaction)
  })
}

/**
 * Reserves in one row of a shared account, so that others don't wait for this transaction. A row holds what it may still reserve as a negative
 * sum, and the account's first row what all were granted, so that the sum of all rows is what is spent and reserved, and the first row alone
 * bounds it. Grants get smaller with what is left, down to single reservations.
 */
async function reserveInShard(transaction: Database, request: ReservationRequest): Promise<boolean> {
  const { account, amount } = request
  if (!granting.has(transaction)) {
    if (await reserveGranted(transaction, request)) return true
    // While the account is used up, nobody has to wait to hear it.
    const used = (await readAccounts(transaction, [account])).get(account) ?? 0
    if (used + amount > (await capsInForce(transaction))(request)) return false
    throw new GrantUsedUp(request)
  }
  return grant(transaction, request, amount)
}

/** Locks an account, reserves `reserved` in the request's row, and grants all rows anew. Returns false if they can't be granted anything. */
async function grant(transaction: Database, request: ReservationRequest, reserved: number): Promise<boolean> {
  const { account, amount, endsAt } = request
  const [own, rows] = [rowOf(transaction, request), rowsOf(account)]
  await openRows(transaction, rows, endsAt)
  const locked = await transaction
    .selectFrom('budgets')
    .select(['account', 'spent', 'reserved'])
    .where('account', 'in', rows)
    // The order of `settleBudgets`, whatever the collation.
    .orderBy(sql`account collate "C"`)
    .forUpdate()
    .execute()
  // Read when nobody else can reserve.
  const cap = (await capsInForce(transaction))(request)
  const sumOf = (row?: string) =>
    locked.reduce((sum, each) => sum + (row === undefined || each.account === row ? each.spent + each.reserved : 0), 0)
  // Another transaction has granted it meanwhile.
  if (reserved === 0 && sumOf(own) + amount <= 0 && sumOf(account) <= cap) return true
  const used = sumOf() + reserved
  const left = cap - used
  const share = Math.floor(left / (2 * SHARDS))
  if (left < 0 || (reserved === 0 && share < amount)) return false
  const granted = share < amount ? 0 : share
  await transaction
    .updateTable('budgets')
    .set({
      spent: sql<number>`case account when ${account} then ${used + SHARDS * granted} - reserved
        when ${own} then ${-granted - reserved} - reserved else ${-granted} - reserved end`,
      reserved: sql<number>`case account when ${own} then reserved + ${reserved} else reserved end`,
    })
    .where('account', 'in', rows)
    .execute()
  return true
}

function reserveGranted(transaction: Database, request: ReservationRequest): Promise<boolean> {
  const { account, amount, cap, limit } = request
  const granted = transaction.selectFrom('budgets').select(sql<number>`spent + reserved`.as('granted')).where('account', '=', account)
  const capInForce = sql<number>`least(${cap}, coalesce((${adjustedCap(transaction, limit)}), ${cap}))`
  return changesRows(
    transaction
      .updateTable('budgets')
      .set({ reserved: sql`reserved + ${amount}` })
      .where('account', '=', rowOf(transaction, request))
      .where(sql<number>`spent + reserved + ${amount}`, '<=', 0)
      .where(sql<number>`(${granted})`, '<=', capInForce),
  )
}

/** The row in which a reservation is; for a stored one its account. */
const rowOf = (database: Database, reservation: BudgetReservation) =>
  isSharded(database, reservation) ? shardOf(reservation.account, reservation.shard ?? 0) : reservation.account

const shardOf = (account: string, shard: number) => `${account}#${String(shard).padStart(2, '0')}`

const rowsOf = (account: string) => [account, ...Array.from({ length: SHARDS }, (_, shard) => shardOf(account, shard))]

async function openRows(transaction: Database, rows: readonly string[], endsAt: number): Promise<void> {
  await transaction
    .insertInto('budgets')
    .values(rows.map((account) => ({ account, spent: 0, reserved: 0, ends_at: endsAt })))
    .onConflict((conflict) => conflict.column('account').doNothing())
    .execute()
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
  const placed = reservations.map((reservation) => ({ ...reservation, row: rowOf(transaction, reservation) }))
  for (const { row, ...reservation } of placed.toSorted((one, other) => (one.row < other.row ? -1 : 1))) {
    const { amount } = reservation
    const spent = usage ? costOf(usage, (usage.usedFallback && reservation.fallback) || reservation) : amount
    await transaction
      .updateTable('budgets')
      .set({ reserved: sql`reserved - ${amount}`, spent: sql`spent + ${spent}` })
      .where('account', '=', row)
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
    await reserving(database, async (transaction) => {
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
  const rows = await database
    .selectFrom('budgets')
    .select(['account', 'spent', 'reserved'])
    .where('account', 'in', accounts.flatMap(rowsOf))
    .execute()
  const used = new Map<string, number>()
  for (const { account, spent, reserved } of rows) {
    const [name = ''] = account.split('#')
    used.set(name, (used.get(name) ?? 0) + spent + reserved)
  }
  return used
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

/** The reservations as a turn stores them, by the rows in which they are; `null` if it costs nothing. */
export function serializeReservations(database: Database, reservations: readonly ReservationRequest[]): string | null {
  if (reservations.length === 0) return null
  const rows = reservations.map((reservation) => ({ ...reservation, account: rowOf(database, reservation) }))
  return JSON.stringify(rows, STORED)
}
