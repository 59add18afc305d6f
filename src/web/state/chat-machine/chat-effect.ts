import type { ChatMessage } from '../../../contract/chat/message.ts'
import type { TurnAction } from '../../api/calls.ts'
import type { FailureCode } from '../../api/failure.ts'
import type { ChatSession, Unsent } from '../chat-session.ts'

/** Effects that the reducer requests. Nothing in the state machine itself calls the server, stores or shows anything. */
export type ChatEffect =
  /** Aborts everything that was begun for the open chat on this page; the server's work continues. */
  | { type: 'abandon-work' }
  /** `pause`: failures so far, and seconds to wait at least. */
  | { type: 'fetch-session'; key: string; pause?: { failures: number; leastS: number | undefined } }
  | { type: 'post-prompt'; key: string; unsent: Unsent; isTemporary: boolean; failures: number }
  | { type: 'repeat-turn'; again: TurnAction }
  | { type: 'regenerate-answer'; key: string; answer: string; id: string }
  | { type: 'follow-turn'; turn: string }
  | { type: 'stop-turn'; turn: string }
  | { type: 'cancel-proof' }
  | { type: 'choose-version'; key: string; message: string }
  | { type: 'delete-session'; key: string }
  | { type: 'choose-agent'; agent: string }
  | { type: 'store-session' }
  | { type: 'move-draft'; from: string; to: string }
  /** Keeps the unsent prompt of a chat that is left as a draft. */
  | { type: 'save-unsent'; session: ChatSession }
  /** Puts a prompt back into the message box. `message` has its files. */
  | { type: 'restore-draft'; key: string; unsent: Unsent; message: ChatMessage | undefined }
  | { type: 'report-connection'; isLost: boolean; limitedForS?: number | undefined }
  | { type: 'report-accepted'; key: string }
  | { type: 'report-ended'; message: ChatMessage }
  | { type: 'report-rejected'; code: FailureCode }
  | { type: 'show-error'; code: FailureCode }
