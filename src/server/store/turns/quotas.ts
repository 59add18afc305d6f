import { sql } from 'kysely'
import type { Rejection } from '../../../contract/rejection.ts'
import type { Database } from '../engine/database.ts'

/** A counter of a quota, subject and window, which its key identifies. */
export interface QuotaCount {
  key: string
  endsAt: number
}

/** Counts what is being stored, in its transaction. A rejection rolls the transaction back. */
export type CountStored = (transaction: Database) => Promise<Rejection | undefined>

/** Increments counters in one statement and returns them by key. Survives a crash at once, and a power loss soon. */
export async function countUp(database: Database, counts: readonly QuotaCount[]): Promise<Map<string, number>> {
  // PostgreSQL locks rows in this order, so two callers with the same keys never wait for each other.
  const inOrder = counts.toSorted((one, other) => (one.key < other.key ? -1 : 1))
  const rows = await database
    .insertInto('quota_counts')
    .values(inOrder.map(({ key, endsAt }) => ({ key, count: 1, ends_at: endsAt })))
    .onConflict((conflict) => conflict.column('key').doUpdateSet({ count: sql`quota_counts.count + 1` }))
    .returning(['key', 'count'])
    .execute()
  return new Map(rows.map(({ key, count }) => [key, count]))
}

export async function countDown(database: Database, counts: readonly QuotaCount[]): Promise<void> {
  if (counts.length === 0) return
  const keys = counts.map(({ key }) => key)
  await database.updateTable('quota_counts').set({ count: sql`count - 1` }).where('key', 'in', keys).where('count', '>', 0).execute()
}

/** Reads counters by key; missing ones are absent. */
export async function readCounts(database: Database, counts: readonly QuotaCount[]): Promise<Map<string, number>> {
  const keys = counts.map(({ key }) => key)
  const rows = await database.selectFrom('quota_counts').select(['key', 'count']).where('key', 'in', keys).execute()
  return new Map(rows.map(({ key, count }) => [key, count]))
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
