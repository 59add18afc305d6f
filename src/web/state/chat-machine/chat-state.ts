import type { TurnAction } from '../../api/calls.ts'
import type { ChatSession, Retry, Unsent } from '../chat-session.ts'

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
}

/** The page’s work for the open chat: one thing at a time. */
export type Work =
  | { kind: 'idle' }
  /** Fetches the session. `isRated`: feedback was given meanwhile, which the reply may lack. */
  | { kind: 'loading'; failures: number; isRated: boolean; isStopRequested: boolean }
  | Requesting
  | Following

export interface Requesting {
  kind: 'requesting'
  request: AnswerRequest
  attempt: number
  isStopRequested: boolean
}

export interface Following {
  kind: 'following'
  turn: string | undefined
  /** The way on if the answer can't be followed. */
  retry: Retry
  /** The answer is one of several versions: the session says which. */
  reloadsAtEnd: boolean
  /** Characters that were shown when the stream was reconnected: shorter messages are not shown. */
  shownCharacters: number
}

export type AnswerRequest =
  | { kind: 'prompt'; unsent: Unsent }
  | { kind: 'repeat'; again: TurnAction }
  /** Another version of the answer with this message id. */
  | { kind: 'regenerate'; answer: string; id: string }

export const INITIAL_CHAT: ChatState = {
  session: null,
  work: { kind: 'idle' },
  workId: 0,
  temporaryKey: null,
  lostTurn: null,
}
