import { sql } from 'kysely'
import { unrestricted } from '../visitors/access.ts'
import { addCounts, countOwned, type Counts, countRows, OWNED_TABLES, parentsOf, totalOf } from '../engine/table-ownership.ts'
import type { Database } from '../engine/database.ts'
import { settleDeletedTurns } from '../turns/deleted-turns.ts'
import { expireSessions } from './session-batches.ts'
import { lockVisitor } from '../visitors/visitors.ts'

/** A principal's sessions, including expired and temporary ones; up to `limit`. */
export async function listOwnedSessionIds(database: Database, owner: string, limit?: number): Promise<string[]> {
  const owned = unrestricted(database).selectFrom('sessions').select('id').where('owner', '=', owner)
  const rows = await owned.$if(limit !== undefined, (query) => query.limit(limit as number)).execute()
  return rows.map((row) => row.id)
}

export async function listOwnedFileIds(database: Database, owner: string): Promise<string[]> {
  const rows = await database.selectFrom('waiting_files').select('id').where('owner', '=', owner).execute()
  return rows.map((row) => row.id)
}

export async function listRunningTurns(database: Database, sessionIds: string[]): Promise<string[]> {
  const rows = await database
    .selectFrom('turns')
    .select('id')
    .where('session_id', 'in', sessionIds)
    .where('status', '=', 'running')
    .execute()
  return rows.map((row) => row.id)
}

/** Makes a session expire at once, for good, and ends its turn: nobody can read or continue it while its rows are deleted. */
export async function expireSession(database: Database, id: string): Promise<void> {
  await database.transaction().execute(async (transaction) => {
    await settleDeletedTurns(transaction, [id])
    await expireSessions(transaction, [id])
  })
}

/** Deletes sessions that the caller found by owner, with dependent rows. Returns the counts; throws if rows are left. */
export async function eraseSessions(database: Database, sessionIds: string[]): Promise<Counts> {
  const [counted, parents] = await database.transaction().execute(async (transaction) => {
    // Locks them, so that of two deletions one counts the rows.
    if (sessionIds.length > 0)
      await unrestricted(transaction)
        .updateTable('sessions')
        .set(({ ref }) => ({ owner: ref('owner') }))
        .where('id', 'in', sessionIds)
        .execute()
    const found = await parentsOf(transaction, sessionIds)
    const counts = await countRows(transaction, found)
    await settleDeletedTurns(transaction, sessionIds)
    if (sessionIds.length > 0) await unrestricted(transaction).deleteFrom('sessions').where('id', 'in', sessionIds).execute()
    return [counts, found] as const
  })
  if (totalOf(await countRows(database, parents)) > 0) throw new Error('Rows are left after their deletion')
  return counted
}

/** Deletes the rows of the principal itself: visitor, keys and identity. The sessions must have been deleted before. */
export async function eraseOwned(database: Database, owner: string): Promise<Counts> {
  const counted = await database.transaction().execute(async (transaction) => {
    await lockVisitor(transaction, owner)
    // Sessions stored since the last listing.
    await settleDeletedTurns(transaction, await listOwnedSessionIds(transaction, owner))
    await unrestricted(transaction).deleteFrom('sessions').where('owner', '=', owner).execute()
    const counts = await countOwned(transaction, owner)
    for (const { table, owner: column } of OWNED_TABLES.toReversed()) {
      await sql`delete from ${sql.table(table)} where ${sql.ref(column)} = ${owner}`.execute(transaction)
    }
    return counts
  })
  if (totalOf(await countOwned(database, owner)) > 0) throw new Error('Rows are left after their deletion')
  return counted
}

export async function countEverything(database: Database, owner: string): Promise<Counts> {
  const parents = await parentsOf(database, await listOwnedSessionIds(database, owner))
  return addCounts(await countOwned(database, owner), await countRows(database, parents))
}
