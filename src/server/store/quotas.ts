import { sql } from 'kysely'
import type { Rejection } from '../../contract/rejection.ts'
import type { Database } from './database.ts'
import { prepared } from './prepared.ts'

/** How often something was done by someone in a window of time that ends at `endsAt`; the key names all three. */
export interface QuotaCount {
  key: string
  endsAt: number
}

/** Counts what is being stored, in its transaction. A rejection rolls the transaction back. */
export type CountStored = (transaction: Database) => Promise<Rejection | undefined>

/** Adds one to each count, in one statement, and returns what they are now, by key. They survive the process at once, the power soon. */
export async function countUp(database: Database, counts: readonly QuotaCount[]): Promise<Map<string, number>> {
  const statement = countUpStatements.get(counts.length) ?? countUpStatement(counts.length)
  const values = inOrder(counts).flatMap(({ key, endsAt }, index) => [
    [`key${index}`, key],
    [`endsAt${index}`, endsAt],
  ])
  const { rows } = await statement(database, Object.fromEntries(values) as CountUpValues)
  return new Map(rows.map(({ key, count }) => [key, count]))
}

interface CountUpValues {
  [key: `key${number}`]: string
  [endsAt: `endsAt${number}`]: number
}
type CountUp = ReturnType<typeof prepared<CountUpValues, { key: string; count: number }>>

/** By how many counts there are; as many as the longest list of quotas has. */
const countUpStatements = new Map<number, CountUp>()

function countUpStatement(length: number): CountUp {
  const statement: CountUp = prepared((database, values) =>
    database
      .insertInto('quota_counts')
      .values(Array.from({ length }, (_, index) => ({ key: values[`key${index}`]!, count: 1, ends_at: values[`endsAt${index}`]! })))
      .onConflict((conflict) => conflict.column('key').doUpdateSet({ count: sql`quota_counts.count + 1` }))
      .returning(['key', 'count']),
  )
  countUpStatements.set(length, statement)
  return statement
}

/** Takes back one of each count. */
export async function countDown(database: Database, keys: readonly string[]): Promise<void> {
  if (keys.length === 0) return
  await database.updateTable('quota_counts').set({ count: sql`count - 1` }).where('key', 'in', keys).where('count', '>', 0).execute()
}

/** The counts that there are, by key; one that is absent is 0. */
export async function readCounts(database: Database, keys: readonly string[]): Promise<Map<string, number>> {
  const rows = await database.selectFrom('quota_counts').select(['key', 'count']).where('key', 'in', keys).execute()
  return new Map(rows.map(({ key, count }) => [key, count]))
}

/** Forgets up to `limit` counts whose window ended before `before`. Returns how many. */
export async function purgeCounts(database: Database, before: number, limit: number): Promise<number> {
  const ended = database.selectFrom('quota_counts').select('key').where('ends_at', '<', before).limit(limit)
  const deleted = await database.deleteFrom('quota_counts').where('key', 'in', ended).executeTakeFirst()
  return Number(deleted.numDeletedRows)
}

/** The salt of a day (days since the epoch): the first that any process has proposed. Those of earlier days than `day - 1` are forgotten. */
export async function saltOfDay(database: Database, day: number, proposed: string): Promise<string> {
  await database
    .deleteFrom('address_salts')
    .where('day', '<', day - 1)
    .execute()
  await database
    .insertInto('address_salts')
    .values({ day, salt: proposed })
    .onConflict((conflict) => conflict.column('day').doNothing())
    .execute()
  const { salt } = await database.selectFrom('address_salts').select('salt').where('day', '=', day).executeTakeFirstOrThrow()
  return salt
}

// PostgreSQL locks rows in this order, so two callers with the same keys never wait for each other.
function inOrder(counts: readonly QuotaCount[]): QuotaCount[] {
  return counts.toSorted((one, other) => (one.key < other.key ? -1 : 1))
}
