import { citationMetadata, citationOf } from '../../contract/citation.ts'
import { MAX_SHARED_CHARACTERS } from '../../contract/size-limits.ts'
import type { ChatMessage, ChatMessagePart } from '../../contract/message.ts'
import type { SharedMessage } from '../../contract/shares.ts'
import { listBranch } from '../store/branches.ts'
import type { Database } from '../store/database.ts'

/** What others see of a session's current branch that the caller has found by its owner: what was said and where it is from, and nothing of how. */
export async function sharedMessages(database: Database, sessionId: string): Promise<SharedMessage[]> {
  const branch = await listBranch(database, sessionId, { maxCharacters: MAX_SHARED_CHARACTERS })
  return branch.map(({ message }) => sharedOf(message)).filter(({ parts }) => parts.length > 0)
}

function sharedOf({ role, parts }: ChatMessage): SharedMessage {
  return { role: role === 'user' ? 'user' : 'assistant', parts: parts.flatMap(sharedPart) }
}

function sharedPart(part: ChatMessagePart): ChatMessagePart[] {
  switch (part.type) {
    case 'text':
      return part.text === '' ? [] : [{ type: 'text', text: part.text }]
    case 'source-url':
      return [{ type: 'source-url', sourceId: part.sourceId, url: part.url, ...(part.title && { title: part.title }) }]
    case 'source-document': {
      const citation = citationOf(part)
      const { sourceId, mediaType, title } = part
      return [{ type: 'source-document', sourceId, mediaType, title, ...(citation && { providerMetadata: citationMetadata(citation) }) }]
    }
    default:
      return []
  }
}
