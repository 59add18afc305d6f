import { AbstractChat, type ChatState, DefaultChatTransport } from 'ai'
import type { ChatMessage } from '../../src/contract/chat/message.ts'
import { textOf } from '../../src/contract/chat/message-text.ts'

/** Stores a chat's messages without a UI framework. */
class PlainState implements ChatState<ChatMessage> {
  status: ChatState<ChatMessage>['status'] = 'ready'
  error: Error | undefined = undefined
  messages: ChatMessage[] = []
  pushMessage = (message: ChatMessage) => void this.messages.push(message)
  popMessage = () => void this.messages.pop()
  replaceMessage = (index: number, message: ChatMessage) => void this.messages.splice(index, 1, message)
  snapshot = <T>(value: T): T => structuredClone(value)
}

/** The AI SDK's own chat, as used by `useChat`, with the functions documented in docs/api.md. */
export class SdkChat extends AbstractChat<ChatMessage> {
  constructor(url: string, cookie: string) {
    let session = ''
    const storedIds = new Map<string, string>()
    const transport = new DefaultChatTransport<ChatMessage>({
      headers: { accept: 'text/event-stream', cookie },
      prepareSendMessagesRequest: ({ messages, trigger, messageId }) => {
        if (trigger === 'regenerate-message') return { api: `${url}/api/v1/sessions/${session}/regenerate`, body: { message: messageId } }
        const edits = messageId && storedIds.get(messageId)
        return { api: `${url}/api/v1/agent/chat/me?session_id=${session}`, body: { prompt: textOf(messages.at(-1)!), edits } }
      },
    })
    super({
      transport,
      state: new PlainState(),
      onFinish({ message, messages }) {
        const { sessionId = '', promptId = '' } = message.metadata ?? {}
        session = sessionId
        storedIds.set(messages.findLast(({ role }) => role === 'user')!.id, promptId)
      },
    })
  }
}
