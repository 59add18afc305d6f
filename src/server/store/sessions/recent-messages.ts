import type { ChatMessage } from '../../../contract/chat/message.ts'
import type { Database } from '../engine/database.ts'
import { listBranch } from './branches.ts'

/**
 * The newest messages of a session's current branch, oldest first: as many as fit into `maxCharacters` of stored JSON, and always the last
 * prompt and what answers it. The caller has found the session by its owner.
 */
export async function readRecentMessages(database: Database, sessionId: string, maxCharacters: number): Promise<ChatMessage[]> {
  const messages: ChatMessage[] = []
  let bounds: { maxCharacters: number; before?: number | undefined } = { maxCharacters }
  while (!messages.some(({ role }) => role === 'user')) {
    const placed = await listBranch(database, sessionId, bounds)
    if (placed.length === 0) break
    messages.unshift(...placed.map(({ message }) => message))
    bounds = { maxCharacters: 1, before: placed[0]?.position }
  }
  return messages
}
