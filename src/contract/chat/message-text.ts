import type { ChatMessage } from './message.ts'
import { textOfPart } from './parts/part-kinds.ts'

/** The plain text of a message: the seed's `content`. */
export function textOf(message: Pick<ChatMessage, 'parts'>): string {
  return message.parts.map(textOfPart).join('')
}
