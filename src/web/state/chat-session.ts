import type { ChatMessage } from '../../contract/chat/message.ts'
import { textOf } from '../../contract/chat/message-text.ts'
import { type FilePart, filesOf } from '../../contract/chat/parts/file.ts'
import { MAX_TITLE_CHARACTERS } from '../../contract/size-limits.ts'
import type { TurnAction } from '../api/calls.ts'
import type { FailureCode } from '../api/failure.ts'

/** A request that can be made again: an unsent prompt, or the turn of an answer to retry, continue or approve. */
export type Retry = Unsent | TurnAction

/** A prompt that the server is not known to have. `id` is its idempotency key; `edits` names the prompt that it replaces. */
export type Unsent = { prompt: string; id: string; edits?: string; attachments?: string[] }

/** State of the open chat's answer. How an answer ended is in its message's metadata. */
export type Answer =
  | { status: 'none' }
  | { status: 'opening' }
  | { status: 'unavailable'; code: FailureCode }
  /** `isProving`: the server wants a proof of work. */
  | { status: 'sending'; unsent: Unsent | null; isProving?: true }
  | { status: 'answering'; turn: string | undefined; message: ChatMessage; connection: 'live' | 'reconnecting' }
  /** `retryAt`: when the server accepts the request again, in milliseconds since the epoch. */
  | { status: 'rejected'; code: FailureCode; retry: Retry; retryAt?: number | undefined }

/** A prompt that was refused and that others follow. The server doesn't have it. */
export interface FailedPrompt {
  message: ChatMessage
  unsent: Unsent
  code: FailureCode
  retryAt?: number | undefined
  /** Id of the message above it; `null` if there is none. */
  after: string | null
}

export interface ChatSession {
  /** 21 letters and digits; made by the page, and replaced by the server's with its first reply. */
  key: string
  title: string
  messages: ChatMessage[]
  /** Cursor of the messages before these; `null` if none. */
  earlier?: string | null
  answer: Answer
  /** In the order of their places. */
  failed?: readonly FailedPrompt[]
  /** The server's `updatedAt` of what is shown. */
  updatedAt?: string
  /** Not listed, and deleted when the chat is left. */
  isTemporary?: boolean
}

export const EMPTY_ANSWER: ChatMessage = { id: '', role: 'assistant', parts: [] }

/** Whether an answer is requested or streaming: the seed's `isSendingChat`. */
export const isAnswerPending = (session: ChatSession | null): boolean =>
  session?.answer.status === 'sending' || session?.answer.status === 'answering'

/** The id of the answer that is streaming or, with the change from `before`, has ended; empty if there is none. */
export function currentAnswerId(session: ChatSession | null, before: ChatSession | null): string {
  if (session?.answer.status === 'answering') return session.answer.message.id
  const hasEnded = session?.answer.status === 'none' && session.key === before?.key && isAnswerPending(before)
  const last = hasEnded ? session.messages.at(-1) : undefined
  return last?.role === 'assistant' ? last.id : ''
}

/** The session's last prompt, while the server is not known to have it. */
export function unsentIn(session: ChatSession | null): Unsent | null {
  if (session?.answer.status === 'sending') return session.answer.unsent
  return session?.answer.status === 'rejected' && 'prompt' in session.answer.retry ? session.answer.retry : null
}

export const promptMessage = (id: string, prompt: string, files: readonly FilePart[]): ChatMessage => ({
  id,
  role: 'user',
  parts: [...files, { type: 'text', text: prompt }],
})

export const newSession = (key: string, message: ChatMessage, answer: Answer): ChatSession => ({
  key,
  title: textOf(message).slice(0, MAX_TITLE_CHARACTERS),
  messages: [message],
  answer,
})

/** The request that sends a message, under the message's own id. */
export function unsentOf(message: ChatMessage): Unsent {
  // The last segment of a file's address is its id.
  const attachments = filesOf(message).map(({ url }) => url.split('/').at(-1) ?? '')
  return { prompt: textOf(message), id: message.id, ...(attachments.length > 0 && { attachments }) }
}
