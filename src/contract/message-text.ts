import type { StoredMessage } from './chat.ts'
import type { ChatMessage } from './message.ts'
import { textOfPart } from './parts/part-kinds.ts'

/** The plain text of a message: the seed's `content`. */
export function textOf(message: Pick<ChatMessage, 'parts'>): string {
  return message.parts.map(textOfPart).join('')
}

/** A message as the calls of the chat return it and the page stores it: its role and text. */
export function storedMessageOf(message: Pick<ChatMessage, 'role' | 'parts'>): StoredMessage {
  return {
    type: message.role === 'user' ? 'human' : 'agent',
    data: { content: textOf(message), additional_kwargs: {}, response_metadata: {}, type: 'text', name: null, id: null, example: false },
  }
}
