import type { ChatMessage, Feedback } from '../../../contract/chat/message.ts'
import type { FilePart } from '../../../contract/chat/parts/file.ts'
import type { MessagePage, SessionDetail, SessionSummary } from '../../../contract/chat/sessions.ts'
import type { FailureCode } from '../../api/failure.ts'
import type { ChatSession, Retry } from '../chat-session.ts'

/** Events of the open chat. Random ids and times come with the event: the reducer is pure. */
export type ChatEvent = VisitorEvent | PageEvent | WorkEvent

export type VisitorEvent =
  /** `key`: for the session that the prompt begins, if none is open. `id`: of the message. */
  | { type: 'prompt-submitted'; key: string; id: string; prompt: string; files: readonly FilePart[]; isTemporary: boolean }
  | { type: 'edit-submitted'; id: string; edits: string; prompt: string }
  | { type: 'regenerate-requested'; id: string; answer: string }
  /** `id`: for the prompt of a temporary chat, which is resent. */
  | { type: 'retry-requested'; id: string; retry: Retry }
  | { type: 'stop-requested' }
  /** The visitor wants to edit a prompt that was refused. `id`: of one that others follow. */
  | { type: 'prompt-withdrawn'; id?: string | undefined }
  | { type: 'version-chosen'; message: string }
  /** `cached`: the session as this tab stored it. */
  | { type: 'session-opened'; key: string; cached: ChatSession | null; agent: string | undefined }
  | { type: 'chat-closed' }
  | { type: 'consent-withdrawn' }
  /** Also to take back feedback that could not be stored. */
  | { type: 'feedback-given'; key: string; id: string; feedback: Feedback | null }

/** One of several events, by its type. */
export type Of<Events extends { type: string }, Type extends Events['type']> = Extract<Events, { type: Type }>

/** News of a session by its key. */
export type PageEvent =
  | ({ type: 'session-listed' } & Pick<SessionSummary, 'key' | 'updatedAt' | 'runningTurn'>)
  | { type: 'session-renamed'; key: string; title: string }
  | { type: 'earlier-received'; key: string; before: string; page: MessagePage }
  /** The server has chosen a version, or failed to. */
  | { type: 'version-settled'; key: string }
  | { type: 'page-left' }

/** Reports of effects. Carries the id of the work that it belongs to. */
export type WorkEvent = { workId: number } & WorkReport
export type WorkReport =
  | { type: 'session-received'; session: SessionDetail }
  /** `limitedForS`: how long the server rejects requests. */
  | { type: 'session-failed'; code: FailureCode; isFinal: boolean; limitedForS?: number | undefined }
  | { type: 'proof-required' }
  | { type: 'turn-accepted'; turn: string }
  | { type: 'answer-begun'; turn?: string | undefined; promptId?: string | undefined; sessionId?: string | undefined }
  | { type: 'answer-progressed'; message: ChatMessage }
  | { type: 'connection-changed'; connection: 'live' | 'reconnecting' }
  | { type: 'answer-ended'; message: ChatMessage }
  /** `isChallenged`: the server wants a proof of work that was not done. */
  | { type: 'answer-rejected'; code: FailureCode; retryAt?: number | undefined; isChallenged?: boolean }
