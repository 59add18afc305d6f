import type { StoredMessage } from './chat.ts'
import type { ChatMessage } from './message.ts'
import { textOf } from './message-text.ts'

/** A message as the calls of the chat return it and the page stores it: its role and text. */
export function storedMessageOf(message: Pick<ChatMessage, 'role' | 'parts'>): StoredMessage {
  return {
    type: message.role === 'user' ? 'human' : 'agent',
    data: { content: textOf(message), additional_kwargs: {}, response_metadata: {}, type: 'text', name: null, id: null, example: false },
  }
}
