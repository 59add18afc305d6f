import type { SessionDescription, SessionSummary } from '../../../contract/chat/sessions.ts'
import { type Access, updateSessions } from '../visitors/access.ts'
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
      ...(title !== undefined && { title }),
      ...(pinned !== undefined && { pinned: pinned ? 1 : 0 }),
    })
    .where('id', '=', id)
    .where('temporary', '=', 0)
    .executeTakeFirst()
  return described.numUpdatedRows > 0n ? findSession(database, access, id) : undefined
}
