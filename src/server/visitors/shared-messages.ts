import { MAX_SHARED_CHARACTERS } from '../../contract/size-limits.ts'
import type { ChatMessage } from '../../contract/chat/message.ts'
import { sharePart } from '../../contract/chat/parts/stored-parts.ts'
import type { SharedMessage } from '../../contract/chat/shares.ts'
import { listBranch } from '../store/sessions/branches.ts'
import type { Database } from '../store/engine/database.ts'

/** The current branch of a session as others see it: text and sources. The caller checks that the requester owns the session. */
export async function sharedMessages(database: Database, sessionId: string): Promise<SharedMessage[]> {
  const branch = await listBranch(database, sessionId, { maxCharacters: MAX_SHARED_CHARACTERS })
  return branch.map(({ message, position }) => ({ ...sharedOf(message), position })).filter(({ parts }) => parts.length > 0)
}

function sharedOf({ role, parts }: ChatMessage): SharedMessage {
  return { role: role === 'user' ? 'user' : 'assistant', parts: parts.flatMap((part) => sharePart(part) ?? []) }
}
