import type { SessionDescription, SessionSummary } from '../../contract/sessions.ts'
import { type Access, reachable } from './access.ts'
import type { Database } from './database.ts'
import { findSession } from './sessions.ts'

/** Renames or pins a session; undefined when the caller has none with this id, or a temporary one. */
export async function describeSession(
  database: Database,
  access: Access,
  id: string,
  { title, pinned }: SessionDescription,
): Promise<SessionSummary | undefined> {
  const described = await database
    .updateTable('sessions')
    .set({
      described_at: access.now,
      ...(title !== undefined && { title, titled_by: 'visitor' as const }),
      ...(pinned !== undefined && { pinned: pinned ? 1 : 0 }),
    })
    .where('id', '=', id)
    .where('temporary', '=', 0)
    .where(reachable(access))
    .executeTakeFirst()
  return described.numUpdatedRows > 0n ? findSession(database, access, id) : undefined
}
