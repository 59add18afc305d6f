import { sql } from 'kysely'
import type { Database } from '../engine/database.ts'
import type { Schema } from '../engine/schema/schema.ts'

/** Events of a kind on a day, an ISO date. */
export type SecurityEventCount = Schema['security_events']

/** Adds counts, also to those of other processes. */
export async function addSecurityEvents(database: Database, counts: readonly SecurityEventCount[]): Promise<void> {
  if (counts.length === 0) return
  // In one order, so that processes that write the same rows don't deadlock.
  const rows = counts.toSorted((one, other) => (`${one.day} ${one.kind}` < `${other.day} ${other.kind}` ? -1 : 1))
  await database
    .insertInto('security_events')
    .values([...rows])
    .onConflict((conflict) => conflict.columns(['day', 'kind']).doUpdateSet({ count: sql<number>`security_events.count + excluded.count` }))
    .execute()
}

export function listSecurityEvents(database: Database): Promise<SecurityEventCount[]> {
  return database.selectFrom('security_events').select(['day', 'kind', 'count']).orderBy('day', 'desc').orderBy('kind').execute()
}

export async function deleteSecurityEventsBefore(database: Database, day: string): Promise<void> {
  await database.deleteFrom('security_events').where('day', '<', day).execute()
}
