import { PostgresAdapter, sql } from 'kysely'
import { unrestricted } from './access.ts'
import type { Database } from './database.ts'

/**
 * Whether an owner has that many turns running already, in whichever process. Nobody else starts one for them before the end of the
 * transaction. On SQLite, which is one process's, that process has counted them: there nothing is asked.
 */
export async function hasRunning(transaction: Database, owner: string, max: number): Promise<boolean> {
  if (!(transaction.getExecutor().adapter instanceof PostgresAdapter)) return false
  await sql`select pg_advisory_xact_lock(hashtextextended(${owner}, 0))`.execute(transaction)
  const { count } = await unrestricted(transaction)
    .selectFrom('turns')
    .innerJoin('sessions', 'sessions.id', 'turns.session_id')
    .select(sql<number>`count(*)`.as('count'))
    // As the index of running turns says it.
    .where('turns.status', '=', sql.lit('running'))
    .where('sessions.owner', '=', owner)
    .executeTakeFirstOrThrow()
  return count >= max
}
