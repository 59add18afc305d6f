import type { ChatMessage } from '../../../contract/chat/message.ts'
import { textOf } from '../../../contract/chat/message-text.ts'
import type { Database } from '../engine/database.ts'
import { branchMessages } from './branches.ts'
import { messageOfRow } from './messages.ts'

/** Batch size, so reads are bounded by the result, not the conversation. */
const MESSAGES_A_READ = 32
/** Enough text begins at a multiple of this position: the beginning then stays for several turns, and providers can cache it. */
const BEGINNING_EVERY = 64

/**
 * The newest messages of a session's current branch, oldest first: at least `enoughText` characters of text, as many as fit into
 * `maxCharacters` of stored JSON, and always the last prompt and what answers it. The caller has found the session by its owner.
 */
export async function readRecentMessages(
  database: Database,
  sessionId: string,
  { enoughText, maxCharacters }: { enoughText: number; maxCharacters: number },
): Promise<ChatMessage[]> {
  const messages: ChatMessage[] = []
  let [missing, room, hasPrompt, beginning] = [enoughText, maxCharacters, false, 0]
  let before: number | undefined
  for (;;) {
    const bounds = { maxCharacters: Math.max(1, room), limit: MESSAGES_A_READ, before }
    const rows = await branchMessages(database, sessionId, bounds).selectAll('messages').orderBy('messages.position', 'desc').execute()
    for (const row of rows) {
      if (row.position < beginning) return messages.toReversed()
      const message = messageOfRow(row)
      messages.push(message)
      missing -= textOf(message).length
      room -= row.parts.length
      hasPrompt ||= message.role === 'user'
      if (room <= 0 && hasPrompt) return messages.toReversed()
      if (missing <= 0 && hasPrompt) beginning ||= row.position - (row.position % BEGINNING_EVERY)
      before = row.position
    }
    if (rows.length === 0) return messages.toReversed()
  }
}
