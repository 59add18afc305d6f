import { sql } from 'kysely'
import { unrestricted } from './access.ts'
import { type Hold, settleHolds } from './budgets.ts'
import type { Database } from './database.ts'

/**
 * Settles what running turns of these sessions hold, within the transaction that deletes them: nobody will know what they used.
 * From here on to its end the transaction keeps turns from being started in these sessions.
 */
export async function settleDeletedTurns(transaction: Database, sessionIds: readonly string[]): Promise<void> {
  if (sessionIds.length === 0) return
  // Whoever starts a turn changes its session's row first.
  await unrestricted(transaction).updateTable('sessions').set({ open_by_id: sql`open_by_id` }).where('id', 'in', sessionIds).execute()
  const running = await transaction
    .deleteFrom('turns')
    .where('session_id', 'in', sessionIds)
    .where('status', '=', 'running')
    .returning('holds')
    .execute()
  for (const { holds } of running) if (holds !== null) await settleHolds(transaction, JSON.parse(holds) as Hold[], null)
}
