import { sql } from 'kysely'
import type { ChatMessage } from '../../../contract/chat/message.ts'
import { type BranchBounds, branchMessages } from './branches.ts'
import type { Database } from '../engine/database.ts'
import { messageOfRow } from './messages.ts'

/** The end of a conversation, and the summary of everything before; null if there is none. */
export interface RecentMessages {
  summary: string | null
  /** Oldest first, none of those that the summary covers. */
  messages: ChatMessage[]
}

/** Batch size, so reads are bounded by the result, not the conversation. */
const MESSAGES_A_READ = 16

/**
 * The newest messages of a session's current branch, back to the last summary, or as many as fit into `maxCharacters` of stored JSON; the last prompt
 * and what answers it always. The caller has found the session by its owner.
 */
export async function readRecentMessages(database: Database, sessionId: string, maxCharacters: number): Promise<RecentMessages> {
  const messages: ChatMessage[] = []
  let room = maxCharacters
  let before: number | undefined
  for (;;) {
    const rows = await summarised(database, sessionId, { maxCharacters: Math.max(1, room), before }).execute()
    for (const row of rows) {
      if (row.summary !== null) return { summary: row.summary, messages: messages.toReversed() }
      messages.push(messageOfRow(row))
      room -= row.parts.length
      if (room <= 0 && messages.some(({ role }) => role === 'user')) return { summary: null, messages: messages.toReversed() }
      before = row.position
    }
    if (rows.length === 0) return { summary: null, messages: messages.toReversed() }
  }
}

/** Newest first; as many as fit into `maxCharacters`, and one more; with what sums up a message and those before it. */
function summarised(database: Database, sessionId: string, bounds: BranchBounds) {
  return branchMessages(database, sessionId, { ...bounds, limit: MESSAGES_A_READ })
    .leftJoin('summaries', (join) =>
      join.onRef('summaries.session_id', '=', 'messages.session_id').onRef('summaries.message_id', '=', 'messages.id'),
    )
    .selectAll('messages')
    .select('summaries.text as summary')
    .orderBy('messages.position', 'desc')
}

/** Stores a summary of the conversation up to a message, unless that message was deleted. */
export async function insertSummary(
  database: Database,
  { sessionId, messageId, text }: { sessionId: string; messageId: string; text: string },
  now: number,
): Promise<void> {
  const covered = database
    .selectFrom('messages')
    .select(['session_id', 'id', sql<string>`cast(${text} as text)`.as('text'), sql<number>`cast(${now} as bigint)`.as('created_at')])
    .where('session_id', '=', sessionId)
    .where('id', '=', messageId)
  await database
    .insertInto('summaries')
    .columns(['session_id', 'message_id', 'text', 'created_at'])
    .expression(covered)
    .onConflict((conflict) => conflict.columns(['session_id', 'message_id']).doNothing())
    .execute()
}
