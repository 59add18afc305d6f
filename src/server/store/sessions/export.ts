import type { Selectable } from 'kysely'
import { type Access, selectSessions } from '../visitors/access.ts'
import { listBranchPositions, type PlacedMessage, placedOfRow } from './branches.ts'
import { withCorrections } from '../turns/corrections.ts'
import type { Database } from '../engine/database.ts'
import type { Schema } from '../engine/schema/schema.ts'

const COLUMNS = ['id', 'title', 'agent', 'leaf', 'created_at', 'updated_at'] as const

/** A session as it is exported; times in milliseconds since the epoch. */
export type ExportedSession = Pick<Selectable<Schema['sessions']>, (typeof COLUMNS)[number]>

/** Batch size, so other queries can run in between. */
const SESSIONS_A_READ = 100
const MESSAGES_A_READ = 8

/** All of the caller's sessions, oldest first, without temporary ones. */
export async function* ownedSessions(database: Database, access: Access): AsyncGenerator<ExportedSession> {
  let last: ExportedSession | undefined
  do {
    const rows = await sessionsAfter(database, access, last)
    yield* rows
    last = rows.length < SESSIONS_A_READ ? undefined : rows.at(-1)
  } while (last)
}

/** One of the caller's sessions, including temporary ones. */
export async function findExportedSession(database: Database, access: Access, id: string): Promise<ExportedSession | undefined> {
  return selectSessions(database, access).select(COLUMNS).where('id', '=', id).executeTakeFirst()
}

/** All messages of a session that the caller has found by its owner, of every branch, in the order of being stored. */
export async function* messagesInOrder(database: Database, sessionId: string): AsyncGenerator<PlacedMessage> {
  let position = 0
  for (;;) {
    const rows = await messagesOf(database, sessionId).where('messages.position', '>', position).limit(MESSAGES_A_READ).execute()
    yield* await withCorrections(database, sessionId, rows.map(placedOfRow))
    if (rows.length < MESSAGES_A_READ) return
    position = rows.at(-1)?.position ?? position
  }
}

/** The messages of a session's current branch, oldest first. The caller has found the session by its owner. */
export async function* messagesOfBranch(database: Database, sessionId: string): AsyncGenerator<PlacedMessage> {
  const positions = await listBranchPositions(database, sessionId)
  for (let start = 0; start < positions.length; start += MESSAGES_A_READ) {
    const some = positions.slice(start, start + MESSAGES_A_READ)
    const rows = await messagesOf(database, sessionId).where('messages.position', 'in', some).execute()
    yield* await withCorrections(database, sessionId, rows.map(placedOfRow))
  }
}

function messagesOf(database: Database, sessionId: string) {
  return database
    .selectFrom('messages')
    .leftJoin('feedback', (join) =>
      join.onRef('feedback.session_id', '=', 'messages.session_id').onRef('feedback.position', '=', 'messages.position'),
    )
    .selectAll('messages')
    .select(['feedback.thumb', 'feedback.reason'])
    .where('messages.session_id', '=', sessionId)
    .orderBy('messages.position')
}

function sessionsAfter(database: Database, access: Access, last: ExportedSession | undefined): Promise<ExportedSession[]> {
  return selectSessions(database, access)
    .select(COLUMNS)
    .where('temporary', '=', 0)
    .$if(last !== undefined, (query) =>
      query.where(({ eb, refTuple, tuple }) => eb(refTuple('created_at', 'id'), '>', tuple(last?.created_at ?? 0, last?.id ?? ''))),
    )
    .orderBy('created_at')
    .orderBy('id')
    .limit(SESSIONS_A_READ)
    .execute()
}
