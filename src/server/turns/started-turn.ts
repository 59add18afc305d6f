import type { PageContext } from '../../contract/chat/page-context.ts'
import type { ChatMessage } from '../../contract/chat/message.ts'
import type { Sender } from '../store/visitors/visitors.ts'
import type { FixedReply } from '../replies/agent-policy.ts'
import type { AttachableFile } from '../store/sessions/files.ts'
import type { IdempotencyClaim } from '../store/turns/idempotency.ts'
import type { CountStored } from '../store/turns/quotas.ts'
import type { Following } from './log/follow.ts'
import type { ModelBudgets } from '../store/turns/budgets.ts'
import type { Agent, ModelChoice } from '../answering/agents/agent.ts'
import type { RunningTurn, TurnResult } from './running-turn.ts'

export interface TurnRequest {
  operation?: string | undefined
  /** The origin of the site that embeds the page, `page`, `api` or `other`, for figures. Not stored with the turn. */
  embed?: string | undefined
  claim: IdempotencyClaim | null
  budgets: ModelBudgets
  pageContext?: PageContext
  /** Languages for fixed replies to prompts whose words don't tell, the page's first. */
  languages?: readonly string[] | undefined
  /** Counts the prompt when it is stored. Repeated and failed requests are not counted. */
  count: CountStored
}

export interface PromptRequest extends TurnRequest {
  sender: Sender
  /** Continues only this agent's sessions; `null` for any, and the first agent for new sessions. */
  agent: string | null
  /** The session to continue, if the sender may; otherwise a new one. */
  session: string | undefined
  prompt: string
  /** A chat of which the client keeps the history, which goes to the model and is not stored. */
  temporary?: { history: ChatMessage[] } | undefined
  reply?: FixedReply | null
  /** The notice that the visitor has accepted, if it lets staff read. */
  acceptedNotice?: { version: string; arrivedAt: number } | null
  edits?: string | undefined
  /** Attached files; null for missing ones. */
  attachments?: readonly (AttachableFile | null)[]
}

/** A new turn, or the turn of an earlier request with the same key. */
export type Started = { kind: 'started' | 'repeated'; turn: FollowedTurn }
/** A turn as seen by its readers, at any time. */
export interface FollowedTurn {
  readonly id: string
  readonly sessionId: string
  /** Resolves when the end is stored and reported. */
  readonly ended: Promise<TurnResult>
  follow: Following
}

export interface LocalEnd {
  turn: Pick<RunningTurn, 'usage' | 'firstTextMs' | 'elapsedMs'>
  end: TurnResult
  model: ModelChoice
  agent: Agent
  embed: TurnRequest['embed']
  owner: string
  /** The chat up to the prompt; empty if it could not be read. */
  messages: readonly ChatMessage[]
}
