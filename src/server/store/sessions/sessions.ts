import { type Selectable, sql } from 'kysely'
import { z } from 'zod'
import type { SessionSummary } from '../../../contract/chat/sessions.ts'
import type { ChatMessage } from '../../../contract/chat/message.ts'
import { MAX_LISTED_CHARACTERS, MAX_LISTED_SESSIONS } from '../../../contract/size-limits.ts'
import { type Access, openByIdAfter, selectSessions, updateSessions } from '../visitors/access.ts'
import { type BranchBounds, listBranch, withVersions } from './branches.ts'
import { withCorrections } from '../turns/corrections.ts'
import type { Database } from '../engine/database.ts'
import type { Schema } from '../engine/schema/schema.ts'
import { storageFaultOf } from '../engine/storage-fault.ts'

export const SessionPlace = z.tuple([z.number().describe('updated_at'), z.string().describe('id')])
export type SessionPlace = z.infer<typeof SessionPlace>

/** Up to `MAX_LISTED_SESSIONS` sessions, newest activity first, without temporary ones; optionally of one agent. */
export async function listSessions(database: Database, access: Access, agent?: string): Promise<SessionSummary[]> {
  return (await listSessionPage(database, access, { agent })).sessions
}

/** A page of the owner's list in the contract's order. `next` is the cursor of the next page; null at the end. */
export async function listSessionPage(
  database: Database,
  access: Access,
  { limit = MAX_LISTED_SESSIONS, after, agent }: { limit?: number; after?: SessionPlace | undefined; agent?: string | undefined },
): Promise<{ sessions: SessionSummary[]; next: SessionPlace | null }> {
  if (access.owner === null) return { sessions: [], next: null }
  const rows = await summaries(database, access)
    .where('sessions.temporary', '=', 0)
    .$if(agent !== undefined, (query) => query.where('sessions.agent', '=', agent as string))
    .$if(after !== undefined, (query) =>
      query.where(({ eb, refTuple, tuple }) => eb(refTuple('sessions.updated_at', 'sessions.id'), '<', tuple(...(after as SessionPlace)))),
    )
    .orderBy('sessions.updated_at', 'desc')
    .orderBy('sessions.id', 'desc')
    .limit(limit + 1)
    .execute()
  const last = rows.length > limit ? rows[limit - 1] : undefined
  return {
    sessions: rows.slice(0, limit).map((row) => summaryOfRow(row, access)),
    next: last ? [last.updated_at, last.id] : null,
  }
}

/** A session without its messages; undefined if it is missing, expired or not the caller's. */
export async function findSession(database: Database, access: Access, id: string): Promise<SessionSummary | undefined> {
  const row = await summaries(database, access).where('sessions.id', '=', id).executeTakeFirst()
  if (row?.open_by_id === 1 && access.credential) await closeToId(database, access, id).catch(unlessFull)
  return row && summaryOfRow(row, access)
}

export async function findSessionAgent(database: Database, access: Access, id: string): Promise<string | null> {
  const row = await selectSessions(database, access).select('sessions.agent').where('sessions.id', '=', id).executeTakeFirst()
  return row?.agent ?? null
}

/** Newest messages of the current branch within `maxCharacters` of stored JSON, at least one. The caller has found the session by owner. */
export async function listMessages(database: Database, sessionId: string, maxCharacters = MAX_LISTED_CHARACTERS): Promise<ChatMessage[]> {
  return (await listBranch(database, sessionId, { maxCharacters })).map(({ message }) => message)
}

/**
 * Messages of a session's current branch, oldest first, at least one where there are any, each with its versions; `earlier` is the
 * position before which there are more, null when the first is among them. The caller has found the session by its owner.
 */
export async function listMessagePage(
  database: Database,
  sessionId: string,
  bounds: Omit<BranchBounds, 'maxCharacters'>,
): Promise<{ messages: ChatMessage[]; earlier: number | null }> {
  const branch = await listBranch(database, sessionId, { ...bounds, maxCharacters: MAX_LISTED_CHARACTERS })
  const placed = await withCorrections(database, sessionId, branch)
  const [first] = placed
  return { messages: await withVersions(database, sessionId, placed), earlier: first && first.parent > 0 ? first.position : null }
}

/** Messages by session. Sessions are given newest first; the oldest are omitted beyond `MAX_LISTED_CHARACTERS`. */
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

function summaries(database: Database, access: Access) {
  return selectSessions(database, access)
    .leftJoin('turns', (join) => join.onRef('turns.session_id', '=', 'sessions.id').on('turns.status', '=', sql.lit('running')))
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

type SummaryRow = Pick<Selectable<Schema['sessions']>, 'id' | 'title' | 'agent' | 'created_at' | 'updated_at'> & {
  turn_id: string | null
}

function summaryOfRow(row: SummaryRow, { retentionMs, endsAt = Number.POSITIVE_INFINITY }: Access): SessionSummary {
  return {
    key: row.id,
    title: row.title,
    agent: row.agent,
    createdAt: new Date(row.created_at).toISOString(),
    updatedAt: new Date(row.updated_at).toISOString(),
    expiresAt: new Date(Math.min(row.updated_at + retentionMs, endsAt)).toISOString(),
    runningTurn: row.turn_id,
  }
}

/** Ignores a full disk, so reads still work. The next use retries. */
function unlessFull(error: unknown): void {
  if (storageFaultOf(error) !== 'storage_full') throw error
}

async function closeToId(database: Database, access: Access, id: string): Promise<void> {
  await updateSessions(database, access)
    .set({ open_by_id: openByIdAfter(access) })
    .where('id', '=', id)
    .execute()
}
