import { sql } from 'kysely'
import { unrestricted } from '../visitors/access.ts'
import { type BudgetReservation, settleBudgets } from './budgets.ts'
import type { Database } from '../engine/database.ts'

/** Settles running turns whose sessions this transaction deletes, usage unknown. No turn can start in these until it ends. */
export async function settleDeletedTurns(transaction: Database, sessionIds: readonly string[]): Promise<void> {
  if (sessionIds.length === 0) return
  // Starting a turn updates the session's row first.
  await unrestricted(transaction).updateTable('sessions').set({ open_by_id: sql`open_by_id` }).where('id', 'in', sessionIds).execute()
  const running = await transaction
    .deleteFrom('turns')
    .where('session_id', 'in', sessionIds)
    .where('status', '=', 'running')
    .returning('reservations')
    .execute()
  // Together, because rows of accounts are locked in order.
  const reserved = running.flatMap(({ reservations }) => JSON.parse(reservations ?? '[]') as BudgetReservation[])
  await settleBudgets(transaction, reserved, null)
}
