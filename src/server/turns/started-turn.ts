import type { ChatMessage } from '../../contract/message.ts'
import type { AttachableFile } from '../store/files.ts'
import type { IdempotencyClaim } from '../store/idempotency.ts'
import type { CountStored } from '../store/quotas.ts'
import type { Following } from './follow.ts'
import type { ModelBudgets } from './model-budget.ts'
import type { TurnResult } from './running-turn.ts'

/** What makes a turn safe to ask for again, and what it may cost. */
export interface TurnRequest {
  claim: IdempotencyClaim | null
  budgets: ModelBudgets
  /** Counts it as it is stored: a request that is repeated, or comes to nothing, is not counted. */
  count: CountStored
}

export interface PromptRequest extends TurnRequest {
  temporary?: { history: ChatMessage[] } | undefined
  /** The prompt of which it is to be another version. */
  edits?: string | undefined
  /** Files that go with the prompt; null for one that is not there. */
  attachments?: readonly (AttachableFile | null)[]
}

/** A turn that was started now, or the one that an earlier request with the same key has started. */
export type Started = { kind: 'started' | 'repeated'; turn: FollowedTurn }
/** A turn as its readers see it, at whatever point of its life they come. */
export interface FollowedTurn {
  readonly id: string
  readonly sessionId: string
  /** Resolves when the end is stored and told. */
  readonly ended: Promise<TurnResult>
  follow: Following
}
