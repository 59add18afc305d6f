import { sql } from 'kysely'
import type { SessionSummary } from '../../contract/sessions.ts'
import type { ChatMessage } from '../../contract/message.ts'
import { MAX_LISTED_CHARACTERS, MAX_LISTED_SESSIONS } from '../../contract/limits.ts'
import { type Access, openByIdAfter, reachable } from './access.ts'
import type { Database } from './database.ts'
import { messageOfRow } from './messages.ts'
import { storageFaultOf } from './storage-fault.ts'

/** Newest activity first, at most `MAX_LISTED_SESSIONS`, none of temporary chats; only those of `agent` when one is given. */
export async function listSessions(database: Database, access: Access, agent?: string): Promise<SessionSummary[]> {
  if (access.owner === null) return []
  const rows = await summaries(database)
    .where((query) => reachable(access)(query as never))
    .where('sessions.temporary', '=', 0)
    .$if(agent !== undefined, (query) => query.where('sessions.agent', '=', agent as string))
    .orderBy('sessions.updated_at', 'desc')
    .orderBy('sessions.id')
    .limit(MAX_LISTED_SESSIONS)
    .execute()
  return rows.map((row) => summaryOfRow(row, access))
}

export async function findSession(database: Database, access: Access, id: string): Promise<SessionSummary | undefined> {
  const row = await summaries(database)
    .where('sessions.id', '=', id)
    .where((query) => reachable(access)(query as never))
    .executeTakeFirst()
  if (row?.open_by_id === 1 && access.credential) await closeToId(database, access, id).catch(unlessFull)
  return row && summaryOfRow(row, access)
}

/**
 * The newest messages of one session, oldest first, as many as fit into `maxCharacters` of stored JSON and at least one.
 * The caller has found the session by its owner.
 */
export async function listMessages(database: Database, sessionId: string, maxCharacters = MAX_LISTED_CHARACTERS): Promise<ChatMessage[]> {
  const withSize = database
    .selectFrom('messages')
    .selectAll()
    .select(sql<number>`sum(length(parts)) over (order by position desc)`.as('size_from_here'))
    .where('session_id', '=', sessionId)
    .as('sized')
  const rows = await database
    .selectFrom(withSize)
    .selectAll()
    .where(sql<number>`size_from_here - length(parts)`, '<', maxCharacters)
    .orderBy('position')
    .execute()
  return rows.map(messageOfRow)
}

/** The messages of sessions given newest first, by session; the oldest sessions are left out once `MAX_LISTED_CHARACTERS` are reached. */
export async function listMessagesOf(database: Database, sessionIds: string[]): Promise<Map<string, ChatMessage[]>> {
  const bySession = new Map<string, ChatMessage[]>()
  let remaining = MAX_LISTED_CHARACTERS
  for (const id of sessionIds) {
    if (remaining <= 0) break
    const messages = await listMessages(database, id, remaining)
    bySession.set(id, messages)
    remaining -= messages.reduce((sum, message) => sum + JSON.stringify(message.parts).length, 0)
  }
  return bySession
}

function summaries(database: Database) {
  return database
    .selectFrom('sessions')
    .leftJoin('turns', (join) => join.onRef('turns.session_id', '=', 'sessions.id').on('turns.status', '=', 'running'))
    .select([
      'sessions.id',
      'sessions.title',
      'sessions.agent',
      'sessions.created_at',
      'sessions.updated_at',
      'sessions.open_by_id',
      'turns.id as turn_id',
    ])
}

function summaryOfRow(
  row: { id: string; title: string; agent: string; created_at: number; updated_at: number; turn_id: string | null },
  { keptMs, endsAt = Number.POSITIVE_INFINITY }: Access,
): SessionSummary {
  return {
    key: row.id,
    title: row.title,
    agent: row.agent,
    createdAt: new Date(row.created_at).toISOString(),
    updatedAt: new Date(row.updated_at).toISOString(),
    expiresAt: new Date(Math.min(row.updated_at + keptMs, endsAt)).toISOString(),
    runningTurn: row.turn_id,
  }
}

/** What is stored can be read while there is no room to write; the next use of the credential tries again. */
function unlessFull(error: unknown): void {
  if (storageFaultOf(error) !== 'storage_full') throw error
}

async function closeToId(database: Database, access: Access, id: string): Promise<void> {
  await database
    .updateTable('sessions')
    .set({ open_by_id: openByIdAfter(access) })
    .where('id', '=', id)
    .where(reachable(access))
    .execute()
}
