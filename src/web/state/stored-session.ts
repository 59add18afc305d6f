import type { StoredMessage } from '../../contract/chat/chat.ts'
import type { ChatMessage } from '../../contract/chat/message.ts'
import { storedMessageOf } from '../../contract/chat/stored-message.ts'
import { useApplication } from './application-store.ts'
import { type ChatSession, unsentIn } from './chat-session.ts'
import { useConfiguration } from './configuration.ts'
import { storeOpenChat } from './open-chat.ts'
import { readFromTab, storeInTab, tabStorage } from '../../ui/storage/storage.ts'

const SESSION_KEY = 'chat-session'

/** Role and text as the calls of the chat return them, beside the whole message. */
type MessageInTab = StoredMessage & { message: ChatMessage }

interface Stored {
  key: string
  title: string
  messages: MessageInTab[]
  earlier?: string | null
  /** Id of the chat's agent. */
  agent?: string | undefined
  /** The answer that was streaming. */
  streaming?: { turn: string | undefined; message: ChatMessage } | undefined
}

/**
 * Stores the open session for a reload of this tab, without a prompt that the server may not have. Stores nothing of a temporary chat or on
 * a shared computer.
 */
export function storeSession(session: ChatSession): void {
  const { isTemporary, isSharedComputer } = useApplication.getState()
  if (isTemporary || isSharedComputer) return
  const { key, title, messages, earlier = null, answer } = session
  const streaming = answer.status === 'answering' ? { turn: answer.turn, message: answer.message } : undefined
  const sent = unsentIn(session) ? messages.slice(0, -1) : messages
  const agent = useConfiguration.getState()?.agent.id
  const stored = sent.map((message): MessageInTab => ({ ...storedMessageOf(message), message }))
  storeInTab(SESSION_KEY, { key, title, messages: stored, earlier, agent, streaming } satisfies Stored)
}

/** The stored session, if it has this key, with its streaming answer. */
export function readStoredSession(key: string): ChatSession | null {
  const session = readFromTab(SESSION_KEY) as Stored | null
  if (session?.key !== key || !Array.isArray(session.messages) || !session.messages.every(hasMessage)) return null
  const { title, messages, earlier = null, streaming } = session
  return {
    key,
    title,
    messages: messages.map(({ message }) => message),
    earlier,
    answer: streaming ? { status: 'answering', ...streaming, connection: 'live' } : { status: 'opening' },
  }
}

const hasMessage = ({ message }: Partial<MessageInTab>) => Array.isArray(message?.parts)

/** The agent of the stored session, if it has this key: a prompt may be sent before the session is fetched. */
export function readStoredAgent(key: string): string | undefined {
  const session = readFromTab(SESSION_KEY) as Stored | null
  return session?.key === key ? session.agent : undefined
}

export function forgetStoredSession(): void {
  tabStorage.removeItem(SESSION_KEY)
  storeOpenChat(null)
}
