import type { SessionDescription, SessionSummary } from '../../../contract/chat/sessions.ts'
import { type Access, unrestricted, updateSessions } from '../visitors/access.ts'
import type { Database } from '../engine/database.ts'
import { findSession } from './sessions.ts'

/** Renames or pins a session. Undefined if the caller has no such session or it is temporary. */
export async function describeSession(
  database: Database,
  access: Access,
  id: string,
  { title, pinned }: SessionDescription,
): Promise<SessionSummary | undefined> {
  const described = await updateSessions(database, access)
    .set({
      described_at: access.now,
      ...(title !== undefined && { title, titled_by: 'visitor' as const }),
      ...(pinned !== undefined && { pinned: pinned ? 1 : 0 }),
    })
    .where('id', '=', id)
    .where('temporary', '=', 0)
    .executeTakeFirst()
  return described.numUpdatedRows > 0n ? findSession(database, access, id) : undefined
}

/**
 * Sets a session's title by the model, unless it has one by the visitor or the model.
 * Returns the owner if it was set.
 */
export async function giveTitle(database: Database, id: string, title: string, now: number): Promise<string | undefined> {
  const titled = await unrestricted(database)
    .updateTable('sessions')
    .set({ title, titled_by: 'model', described_at: now })
    .where('id', '=', id)
    .where('titled_by', '=', 'prompt')
    .where('temporary', '=', 0)
    .returning('owner')
    .executeTakeFirst()
  return titled?.owner
}
