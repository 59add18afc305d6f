import { sql } from 'kysely'
import { unrestricted } from '../visitors/access.ts'
import { countOf, type Database, isEmbedded } from '../engine/database.ts'

/**
 * Whether an owner has reached the limit of running turns over all processes. Until the transaction ends, no other turn can start for
 * them. On SQLite, with its single process, the process counts them itself.
 */
export async function hasRunning(transaction: Database, owner: string, max: number): Promise<boolean> {
  if (isEmbedded(transaction)) return false
  await sql`select pg_advisory_xact_lock(hashtextextended(${owner}, 0))`.execute(transaction)
  const running = unrestricted(transaction)
    .selectFrom('turns')
    .innerJoin('sessions', 'sessions.id', 'turns.session_id')
    // Matches the partial index of running turns.
    .where('turns.status', '=', sql.lit('running'))
    .where('sessions.owner', '=', owner)
  return (await countOf(running)) >= max
}
