import { sql } from 'kysely'
import type { Database } from './database.ts'
import { prepared } from './prepared.ts'

/** Tokens that a model has read and written. */
export interface TokenUsage {
  inputTokens: number
  outputTokens: number
  /** Whether it is of the model that stood in for the one that was asked. */
  usedFallback?: boolean
}

/** What one token costs, in the unit of an account. */
export interface TokenPrices {
  inputPrice: number
  outputPrice: number
}

/** What a turn sets aside in an account until it is known what it spent, in the account's unit. */
export interface Hold extends TokenPrices {
  account: string
  amount: number
  /** What it costs when the model that may stand in answers. */
  fallback?: TokenPrices
}

/** A hold that is asked for: it is granted while all that is spent and held stays within `cap`. */
export interface WantedHold extends Hold {
  cap: number
  /** Rejects the turn when there is no room. */
  code: BudgetCode
  /** When the account is over, and another begins; and how many seconds that is from the moment in which it was wanted. */
  endsAt: number
  opensInS: number
}

const BUDGET_CODES = ['daily_tokens_used', 'budget_exhausted'] as const
export type BudgetCode = (typeof BUDGET_CODES)[number]

/** Whether an account had no room: the only rejection that a cheaper turn may avoid. */
export function isOverBudget(outcome: { kind: string; code?: unknown }): boolean {
  return outcome.kind === 'rejected' && BUDGET_CODES.includes(outcome.code as BudgetCode)
}

/** What is to be set aside for a turn of this agent. */
export type HoldsFor = (agent: string) => readonly WantedHold[]

/**
 * Sets all amounts aside, within the caller's transaction; returns the one without room whose account is over last, if there is any,
 * and then the caller rolls back. One statement an account, which cannot overspend whoever else is spending.
 */
export async function placeHolds(transaction: Database, wanted: readonly WantedHold[]): Promise<WantedHold | undefined> {
  // PostgreSQL locks accounts in this order, so two turns never wait for each other.
  const inOrder = wanted.toSorted((one, other) => (one.account < other.account ? -1 : 1))
  for (const [index, hold] of inOrder.entries()) {
    if (await placeHold(transaction, hold)) continue
    await openAccount(transaction, hold)
    if (!(await placeHold(transaction, hold))) return longestClosed(transaction, hold, inOrder.slice(index + 1))
  }
  return undefined
}

/** Of `closed` and the others that have no room either, the one whose account is over last: before that nothing can be set aside. */
async function longestClosed(transaction: Database, closed: WantedHold, others: readonly WantedHold[]): Promise<WantedHold> {
  const used = await readAccounts(
    transaction,
    others.map(({ account }) => account),
  )
  const alsoClosed = others.filter(({ account, amount, cap }) => (used.get(account) ?? 0) + amount > cap)
  return [closed, ...alsoClosed].reduce((last, hold) => (hold.endsAt > last.endsAt ? hold : last))
}

const setAside = prepared<Pick<WantedHold, 'account' | 'amount' | 'cap'>>((database, { account, amount, cap }) =>
  database
    .updateTable('budgets')
    .set({ held: sql`held + ${amount}` })
    .where('account', '=', account)
    .where(sql<number>`spent + held + ${amount}`, '<=', cap),
)

/** False when there is no room, or no account yet. */
async function placeHold(transaction: Database, { account, amount, cap }: WantedHold): Promise<boolean> {
  const { changed } = await setAside(transaction, { account, amount, cap })
  return changed === 1
}

async function openAccount(transaction: Database, { account, endsAt }: WantedHold): Promise<void> {
  await transaction
    .insertInto('budgets')
    .values({ account, spent: 0, held: 0, ends_at: endsAt })
    .onConflict((conflict) => conflict.column('account').doNothing())
    .execute()
}

/** Turns holds into what was spent. Of a turn that nobody knows the usage of, as after a crash, all that was held is spent. */
export async function settleHolds(transaction: Database, holds: readonly Hold[], usage: TokenUsage | null): Promise<void> {
  for (const hold of holds.toSorted((one, other) => (one.account < other.account ? -1 : 1))) {
    const { account, amount } = hold
    const { inputPrice, outputPrice } = (usage?.usedFallback && hold.fallback) || hold
    const spent = usage ? Math.ceil(usage.inputTokens * inputPrice + usage.outputTokens * outputPrice) : amount
    await transaction
      .updateTable('budgets')
      .set({ held: sql`held - ${amount}`, spent: sql`spent + ${spent}` })
      .where('account', '=', account)
      .execute()
  }
}

/** `placeHolds` in a transaction of its own, for what no turn pays; false when there is no room, and then nothing is set aside. */
export async function placeHoldsAlone(database: Database, wanted: readonly WantedHold[]): Promise<boolean> {
  if (wanted.length === 0) return true
  const noRoom = new Error('no room')
  try {
    await database.transaction().execute(async (transaction) => {
      if (await placeHolds(transaction, wanted)) throw noRoom
    })
    return true
  } catch (error) {
    if (error === noRoom) return false
    throw error
  }
}

export async function settleHoldsAlone(database: Database, holds: readonly Hold[], usage: TokenUsage | null): Promise<void> {
  if (holds.length > 0) await database.transaction().execute((transaction) => settleHolds(transaction, holds, usage))
}

/** What is spent and held of accounts, by account; one that is absent has not been used. */
export async function readAccounts(database: Database, accounts: readonly string[]): Promise<Map<string, number>> {
  if (accounts.length === 0) return new Map()
  const rows = await database.selectFrom('budgets').select(['account', 'spent', 'held']).where('account', 'in', accounts).execute()
  return new Map(rows.map(({ account, spent, held }) => [account, spent + held]))
}

/** Forgets up to `limit` accounts that ended before `before`. Returns how many. */
export async function purgeAccounts(database: Database, before: number, limit: number): Promise<number> {
  const ended = database.selectFrom('budgets').select('account').where('ends_at', '<', before).limit(limit)
  const deleted = await database.deleteFrom('budgets').where('account', 'in', ended).executeTakeFirst()
  return Number(deleted.numDeletedRows)
}

/** Holds as a turn keeps them; null without any. */
export function textOfHolds(holds: readonly WantedHold[]): string | null {
  if (holds.length === 0) return null
  return JSON.stringify(
    holds.map(
      ({ account, amount, inputPrice, outputPrice, fallback }): Hold => ({
        account,
        amount,
        inputPrice,
        outputPrice,
        ...(fallback && { fallback }),
      }),
    ),
  )
}
