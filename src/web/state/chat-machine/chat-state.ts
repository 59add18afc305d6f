import type { TurnAction } from '../../api/calls.ts'
import type { ChatSession, Retry, Unsent, PendingFeedback } from '../chat-session.ts'

/** Everything the page knows of the open chat and of what it does for it. */
export interface ChatState {
  session: ChatSession | null
  work: Work
  /** Increases whenever the current work is abandoned; reports of abandoned work are ignored. */
  workId: number
  /** The temporary session that the server still stores. */
  temporaryKey: string | null
  /** The last turn whose stream was lost: a second loss is shown instead of retried. */
  lostTurn: string | null
  queue: PromptQueue
}

/** What the page does for the open chat: one thing at a time. */
export type Work =
  | { kind: 'idle' }
  /** Fetches the session. `pendingFeedback`: as they were when the last request was made. */
  | { kind: 'loading'; failures: number; pendingFeedback: PendingFeedback | undefined; isStopRequested: boolean }
  /** Asks the server for an answer. */
  | Requesting
  /** Reads the stream of an answer. */
  | Following

export interface Requesting {
  kind: 'requesting'
  request: AnswerRequest
  /** The prompt with its files at the server. */
  ready: Unsent | null
  attempt: number
  hasResentFiles: boolean
  /** The server has put the prompt into its queue. */
  isQueued: boolean
  isStopRequested: boolean
}

export interface Following {
  kind: 'following'
  turn: string | undefined
  /** The way on if the answer can't be followed. */
  retry: Retry
  /** The answer is one of several versions, or its prompt has new file addresses: the session says which. */
  reloadsAtEnd: boolean
  /** Characters that were shown when the stream was reconnected: shorter messages are not shown. */
  shownCharacters: number
}

export type AnswerRequest =
  /** `isOffline`: the prompt waited in the offline queue. */
  | { kind: 'prompt'; unsent: Unsent; isOffline: boolean }
  | { kind: 'repeat'; again: TurnAction }
  /** Another version of the answer with this message id. */
  | { kind: 'regenerate'; answer: string; id: string }

/** Prompts that were typed offline and are stored in the browser. */
export interface PromptQueue {
  isEnabled: boolean
  /** The queued prompt of the open chat. */
  shown: { id: string; session: string } | null
  isFlushing: boolean
  /** The queue was enabled, and is flushed once the open chat's prompt is found. */
  flushesAfterSearch: boolean
  /** A queued prompt that began a chat is shown once, in place of a new chat. */
  hasRestoredNewChat: boolean
}

export const INITIAL_CHAT: ChatState = {
  session: null,
  work: { kind: 'idle' },
  workId: 0,
  temporaryKey: null,
  lostTurn: null,
  queue: { isEnabled: false, shown: null, isFlushing: false, flushesAfterSearch: false, hasRestoredNewChat: false },
}
