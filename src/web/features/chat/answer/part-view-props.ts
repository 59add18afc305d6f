import type { ChatMessage, ChatMessagePart } from '../../../../contract/chat/message.ts'
import type { Retry } from '../../../state/chat-session.ts'

export interface PartViewProps<Part extends ChatMessagePart = ChatMessagePart> {
  part: Part
  message: ChatMessage
  isStreaming: boolean
  /** Sends the visitor's approval decisions; without it, none can be made. */
  onDecide?: ((way: Retry) => void) | undefined
}
