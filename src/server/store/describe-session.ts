import type { SessionDescription, SessionSummary } from '../../contract/sessions.ts'
import { type Access, unrestricted, updateSessions } from './access.ts'
import type { Database } from './database.ts'
import { findSession } from './sessions.ts'

/** Renames or pins a session; undefined when the caller has none with this id, or a temporary one. */
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
 * Gives a session the title that the model made, unless its visitor has given one, or it has one of the model's already.
 * Returns whose session it is when it has got it.
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
