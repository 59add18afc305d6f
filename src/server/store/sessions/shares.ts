import type { Selectable } from 'kysely'
import type { ChatMessage, Correction } from '../../../contract/chat/message.ts'
import { MAX_SHARES } from '../../../contract/size-limits.ts'
import type { Share, SharedChat, SharedMessage } from '../../../contract/chat/shares.ts'
import { type Access, lockStoredSession, isRetained, selectSessions, unrestricted } from '../visitors/access.ts'
import { correctionsOf } from '../turns/corrections.ts'
import { changesRows, type Database } from '../engine/database.ts'
import type { Schema } from '../engine/schema/schema.ts'

/** Answers per query, so that other queries can run in between. */
const MESSAGES_A_READ = 50

export interface NewShare {
  id: string
  session: string
  messages: SharedMessage[]
  expiresAt: number
}

/** Creates a link. Undefined if the caller has no such session or it is temporary; `full` at the limit of links. */
export async function insertShare(
  database: Database,
  access: Access,
  { id, session, messages, expiresAt }: NewShare,
): Promise<Share | 'full' | undefined> {
  return database.transaction().execute(async (transaction) => {
    // Also locks the session while links are counted.
    const shared = await lockStoredSession(transaction, session, access)
    if (!shared) return undefined
    if ((await listShares(transaction, access)).length >= MAX_SHARES) return 'full'
    const row = { id, session_id: session, title: shared.title, created_at: access.now, expires_at: expiresAt }
    await transaction
      .insertInto('shares')
      .values({ ...row, messages: JSON.stringify(messages) })
      .execute()
    return shareOfRow(row)
  })
}

/** The caller's valid links, newest first. */
export async function listShares(database: Database, access: Access): Promise<Share[]> {
  const rows = await selectSessions(database, access)
    .innerJoin('shares', 'shares.session_id', 'sessions.id')
    .select(['shares.id', 'shares.session_id', 'shares.title', 'shares.created_at', 'shares.expires_at'])
    .where('shares.expires_at', '>', access.now)
    .orderBy('shares.created_at', 'desc')
    .orderBy('shares.id')
    .limit(MAX_SHARES)
    .execute()
  return rows.map(shareOfRow)
}

/** Deletes a link; `false` if there is none. Without a principal, the caller must name the session, since every reader knows the link. */
export async function deleteShare(database: Database, access: Access, id: string, session?: string): Promise<boolean> {
  if (access.owner === null && session === undefined) return false
  const own = selectSessions(database, access)
    .innerJoin('shares', 'shares.session_id', 'sessions.id')
    .select('shares.id')
    .where('shares.id', '=', id)
    .$if(session !== undefined, (query) => query.where('sessions.id', '=', session as string))
  return changesRows(database.deleteFrom('shares').where('id', 'in', own))
}

/** The shared chat of a valid link. */
export async function findSharedChat(database: Database, id: string, { now, retentionMs }: Access): Promise<SharedChat | undefined> {
  const row = await unrestricted(database)
    .selectFrom('shares')
    .innerJoin('sessions', 'sessions.id', 'shares.session_id')
    .selectAll('shares')
    .where('shares.id', '=', id)
    .where('shares.expires_at', '>', now)
    .where(isRetained({ now, retentionMs }))
    .executeTakeFirst()
  if (!row) return undefined
  const { title, createdAt, expiresAt } = shareOfRow(row)
  const messages = await corrected(database, row.session_id, JSON.parse(row.messages) as SharedMessage[])
  return { title, createdAt, expiresAt, messages }
}

/** Shared messages with what staff have corrected since. The sources of a shared message lack their files, so the stored ones are read. */
async function corrected(database: Database, sessionId: string, messages: SharedMessage[]): Promise<SharedMessage[]> {
  const positions = messages.flatMap(({ role, position }) => (role === 'assistant' && position !== undefined ? [position] : []))
  const found = new Map<number, Correction[]>()
  for (let start = 0; start < positions.length; start += MESSAGES_A_READ) {
    const rows = await database
      .selectFrom('messages')
      .select(['position', 'parts', 'turn_id'])
      .where('session_id', '=', sessionId)
      .where('position', 'in', positions.slice(start, start + MESSAGES_A_READ))
      .execute()
    const answers = rows.map(({ position, parts, turn_id }) => ({
      position,
      parts: JSON.parse(parts) as ChatMessage['parts'],
      turnId: turn_id,
    }))
    for (const [position, corrections] of await correctionsOf(database, sessionId, answers)) found.set(position, corrections)
  }
  return messages.map((message) => {
    const corrections = found.get(message.position ?? 0)
    return corrections ? { ...message, corrections } : message
  })
}

function shareOfRow(row: Omit<Selectable<Schema['shares']>, 'messages'>): Share {
  return {
    id: row.id,
    session: row.session_id,
    title: row.title,
    createdAt: new Date(row.created_at).toISOString(),
    expiresAt: new Date(row.expires_at).toISOString(),
  }
}
