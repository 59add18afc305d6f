import { sql } from 'kysely'
import type { Rejection } from '../../../contract/rejection.ts'
import type { Database } from '../engine/database.ts'

/** A counter of a quota, subject and window, which its key identifies. */
export interface QuotaCount {
  key: string
  endsAt: number
  /** For a counter that all visitors share: which of its rows to increment. Its value is their sum. */
  shard?: number | undefined
}

/** Rows of a shared counter on PostgreSQL, where a transaction holds the row that it incremented until its COMMIT. */
export const SHARDS = 16

/** Counts what is being stored, in its transaction. A rejection rolls the transaction back. */
export type CountStored = (transaction: Database) => Promise<Rejection | undefined>

/**
 * Increments counters in one statement and returns them by key. Survives a crash at once, and a power loss soon. Of a shared counter's
 * other rows, the sum has what is committed.
 */
export async function countUp(database: Database, counts: readonly QuotaCount[]): Promise<Map<string, number>> {
  const own = counts.map(rowKey)
  const others = counts.flatMap(rowKeys).filter((key) => !own.includes(key))
  const increment = (on: Pick<Database, 'insertInto'>) =>
    on
      .insertInto('quota_counts')
      .values(inOrder(counts).map((count) => ({ key: rowKey(count), count: 1, ends_at: count.endsAt })))
      .onConflict((conflict) => conflict.column('key').doUpdateSet({ count: sql`quota_counts.count + 1` }))
      .returning(['key', 'count'])
  if (others.length === 0) return valuesOf(counts, await increment(database).execute())
  const rest = database.selectFrom('quota_counts').select(['key', 'count']).where('key', 'in', others)
  return valuesOf(counts, await database.with('own', increment).selectFrom('own').select(['key', 'count']).unionAll(rest).execute())
}

export async function countDown(database: Database, counts: readonly QuotaCount[]): Promise<void> {
  if (counts.length === 0) return
  const keys = counts.map(rowKey)
  await database.updateTable('quota_counts').set({ count: sql`count - 1` }).where('key', 'in', keys).where('count', '>', 0).execute()
}

/** Reads counters by key; missing ones are 0. */
export async function readCounts(database: Database, counts: readonly QuotaCount[]): Promise<Map<string, number>> {
  const keys = counts.flatMap(rowKeys)
  return valuesOf(counts, await database.selectFrom('quota_counts').select(['key', 'count']).where('key', 'in', keys).execute())
}

/** The salt of a day (days since the epoch): the first one proposed by a process. Deletes those before `day - 1`. */
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
  return counts.toSorted((one, other) => (rowKey(one) < rowKey(other) ? -1 : 1))
}

function rowKey({ key, shard }: QuotaCount): string {
  return shard ? `${key}#${shard}` : key
}

function rowKeys(count: QuotaCount): string[] {
  if (count.shard === undefined) return [count.key]
  return Array.from({ length: SHARDS }, (_, shard) => rowKey({ ...count, shard }))
}

function valuesOf(counts: readonly QuotaCount[], rows: readonly { key: string; count: number }[]): Map<string, number> {
  const stored = new Map(rows.map(({ key, count }) => [key, count]))
  return new Map(counts.map((count) => [count.key, rowKeys(count).reduce((sum, key) => sum + (stored.get(key) ?? 0), 0)]))
}
