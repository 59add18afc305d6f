import { sql } from 'kysely'
import type { AnswerState } from '../../../contract/chat/answer-state.ts'
import type { OpenedChat } from '../../../contract/staff/chats.ts'
import type { ChatMessage } from '../../../contract/chat/message.ts'
import { textOf } from '../../../contract/chat/message-text.ts'
import type { Reading } from '../../../contract/reports.ts'
import { isRetained, unrestricted } from '../visitors/access.ts'
import { branchMessages } from './branches.ts'
import { countOf, type Database } from '../engine/database.ts'
import type { QueueAccess } from '../staff/report-queue.ts'
import { readingRow } from '../staff/reports.ts'

/** Chats of a page, and messages of a chat that is opened: the newest. */
const MAX_PAGE = 25
const MAX_MESSAGES = 200

/** A chat with prompts that staff can read, without its text. */
export interface ReadableChat {
  id: string
  /** When the newest prompt that can be read was sent. */
  at: number
  agent: string
  /** That prompt, for its language. */
  prompt: string
  messages: number
  states: AnswerState[]
  readings: number
}

export type ReadMessage = Omit<OpenedChat['messages'][number], 'at'> & { at: number }

/** The chats that staff can read, newest first, from after the one that `after` names. `undefined` if that is gone. */
export async function listReadableChats(
  database: Database,
  access: QueueAccess,
  after: string | undefined,
): Promise<{ chats: ReadableChat[]; next: string | null } | undefined> {
  const place = after === undefined ? undefined : await findPlace(database, after)
  if (after !== undefined && !place) return undefined
  const rows = await readableChats(database, access)
    .$if(place !== undefined, (query) =>
      query.where(({ eb, refTuple, tuple }) => eb(refTuple('newest.sent_at', 'newest.id'), '<', tuple(place!.sent_at, place!.id))),
    )
    .orderBy('newest.sent_at', 'desc')
    .orderBy('newest.id', 'desc')
    .limit(MAX_PAGE + 1)
    .execute()
  const page = rows.slice(0, MAX_PAGE)
  const chats: ReadableChat[] = []
  for (const row of page) {
    const chat = await described(database, row)
    if (chat.messages > 0) chats.push(chat)
  }
  return { chats, next: rows.length > MAX_PAGE ? page.at(-1)!.id : null }
}

/** Opens a chat and records the reading. `undefined` if there is none that staff can read. */
export async function readChat(
  database: Database,
  access: QueueAccess,
  { id, role, log }: { id: string; role: Reading['role']; log: (transaction: Database, sessionId: string) => Promise<void> },
): Promise<{ chat: ReadableChat; messages: ReadMessage[]; hidden: number } | undefined> {
  return database.transaction().execute(async (transaction) => {
    const row = await readableChats(transaction, access)
      .where('newest.session_id', '=', transaction.selectFrom('readable_prompts').select('session_id').where('id', '=', id))
      .executeTakeFirst()
    if (!row) return undefined
    const branch = await readableBranch(transaction, row.session_id)
    const shown = branch.filter(({ isReadable }) => isReadable).slice(-MAX_MESSAGES)
    if (shown.length === 0) return undefined
    await transaction
      .insertInto('readings')
      .values(readingRow({ id: '', session_id: row.session_id }, role, access.now))
      .execute()
    await log(transaction, row.session_id)
    const texts = await readTexts(
      transaction,
      row.session_id,
      shown.map(({ position }) => position),
    )
    const messages = shown.map(({ position, role: by, state, created_at: at }) => ({
      role: by,
      ...(texts.get(position) ?? { text: '', files: 0 }),
      state,
      at,
    }))
    return { chat: await described(transaction, row), messages, hidden: branch.length - shown.length }
  })
}

async function findPlace(database: Database, id: string) {
  return database.selectFrom('readable_prompts').select(['id', 'sent_at']).where('id', '=', id).executeTakeFirst()
}

/**
 * The newest readable prompt of each chat that staff can read: it isn't temporary, within its retention, and still belongs to the visitor
 * who accepted, who can still open it, and so withdraw.
 */
function readableChats(database: Database, { now, retentionMs }: QueueAccess) {
  return unrestricted(database)
    .selectFrom('readable_prompts as newest')
    .innerJoin('sessions', 'sessions.id', 'newest.session_id')
    .innerJoin('accepted_notices', (join) =>
      join.onRef('accepted_notices.id', '=', 'newest.acceptance_id').onRef('accepted_notices.visitor_id', '=', 'sessions.owner'),
    )
    .innerJoin('messages', (join) =>
      join.onRef('messages.session_id', '=', 'newest.session_id').onRef('messages.position', '=', 'newest.position'),
    )
    .select(['newest.id', 'newest.session_id', 'newest.sent_at', 'sessions.agent', 'messages.parts'])
    .where('sessions.temporary', '=', 0)
    .where(isRetained({ now, retentionMs }))
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('readable_prompts as later')
            .select('later.id')
            .whereRef('later.session_id', '=', 'newest.session_id')
            .whereRef('later.position', '>', 'newest.position'),
        ),
      ),
    )
    .where(({ exists, selectFrom }) =>
      exists(
        selectFrom('visitor_keys')
          .select('key_hash')
          .whereRef('visitor_keys.visitor_id', '=', 'sessions.owner')
          .where(({ eb, or: either }) => either([eb('expires_at', 'is', null), eb('expires_at', '>', now)])),
      ),
    )
}

type ReadableRow = Awaited<ReturnType<ReturnType<typeof readableChats>['executeTakeFirstOrThrow']>>

async function described(database: Database, { id, session_id: session, sent_at: at, agent, parts }: ReadableRow): Promise<ReadableChat> {
  const readable = (await readableBranch(database, session)).filter(({ isReadable }) => isReadable)
  return {
    id,
    at,
    agent,
    prompt: textOf({ parts: JSON.parse(parts) as ChatMessage['parts'] }),
    messages: readable.length,
    states: readable.flatMap(({ state }) => state ?? []),
    readings: await countOf(database.selectFrom('readings').where('session_id', '=', session).where('report_id', '=', '')),
  }
}

/** The current branch, oldest first. An answer, which may repeat what came before, is readable if everything before it is. */
async function readableBranch(database: Database, session: string) {
  const rows = await branchMessages(database, session, {})
    .leftJoin('readable_prompts', (join) =>
      join.onRef('readable_prompts.session_id', '=', 'messages.session_id').onRef('readable_prompts.position', '=', 'messages.position'),
    )
    .leftJoin('turns', 'turns.id', 'messages.turn_id')
    .select(['messages.position', 'messages.role', 'messages.turn_id', 'messages.created_at', 'turns.state'])
    .select(sql<string | null>`readable_prompts.id`.as('readable'))
    .orderBy('messages.position')
    .execute()
  let isAllReadable = true
  return rows.map(({ readable, turn_id: turn, ...row }, index) => {
    const isReadable = row.role === 'user' ? readable !== null : turn !== null && index > 0 && isAllReadable
    isAllReadable &&= isReadable
    return { ...row, isReadable }
  })
}

async function readTexts(database: Database, session: string, positions: number[]) {
  const rows = await database
    .selectFrom('messages')
    .select(['position', 'parts'])
    .where('session_id', '=', session)
    .where('position', 'in', positions)
    .execute()
  return new Map(
    rows.map(({ position, parts: stored }) => {
      const parts = JSON.parse(stored) as ChatMessage['parts']
      return [position, { text: textOf({ parts }), files: parts.filter(({ type }) => type === 'file').length }]
    }),
  )
}
