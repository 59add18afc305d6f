import type { ChatMessage } from '../../contract/message.ts'
import { type Access, reachable } from './access.ts'
import type { Database } from './database.ts'
import { messageOfRow } from './messages.ts'

/** A session as it is exported; times in milliseconds since the epoch. */
export interface ExportedSession {
  id: string
  title: string
  agent: string
  created_at: number
  updated_at: number
}

const COLUMNS = ['id', 'title', 'agent', 'created_at', 'updated_at'] as const

/** So many are read at once; between reads others have their turn. */
const SESSIONS_A_READ = 100
const MESSAGES_A_READ = 8

/** All of the caller's sessions, oldest first, but for temporary ones. */
export async function* ownedSessions(database: Database, access: Access): AsyncGenerator<ExportedSession> {
  let last: ExportedSession | undefined
  do {
    const rows = await sessionsAfter(database, access, last)
    yield* rows
    last = rows.length < SESSIONS_A_READ ? undefined : rows.at(-1)
  } while (last)
}

/** One of the caller's sessions, a temporary one too. */
export async function findExportedSession(database: Database, access: Access, id: string): Promise<ExportedSession | undefined> {
  return database.selectFrom('sessions').select(COLUMNS).where('id', '=', id).where(reachable(access)).executeTakeFirst()
}

/** All messages of a session that the caller has found by its owner, oldest first. */
export async function* messagesInOrder(database: Database, sessionId: string): AsyncGenerator<ChatMessage> {
  let position = 0
  for (;;) {
    const rows = await database
      .selectFrom('messages')
      .selectAll()
      .where('session_id', '=', sessionId)
      .where('position', '>', position)
      .orderBy('position')
      .limit(MESSAGES_A_READ)
      .execute()
    for (const row of rows) yield messageOfRow(row)
    if (rows.length < MESSAGES_A_READ) return
    position = rows.at(-1)?.position ?? position
  }
}

function sessionsAfter(database: Database, access: Access, last: ExportedSession | undefined): Promise<ExportedSession[]> {
  return database
    .selectFrom('sessions')
    .select(COLUMNS)
    .where(reachable(access))
    .where('temporary', '=', 0)
    .$if(last !== undefined, (query) =>
      query.where(({ or, and, eb }) =>
        or([
          eb('created_at', '>', last?.created_at ?? 0),
          and([eb('created_at', '=', last?.created_at ?? 0), eb('id', '>', last?.id ?? '')]),
        ]),
      ),
    )
    .orderBy('created_at')
    .orderBy('id')
    .limit(SESSIONS_A_READ)
    .execute()
}
