import type { UIMessage, UIMessageChunk } from 'ai'
import type { AnswerState } from './answer-state.ts'
import type { ErrorCode } from '../errors.ts'
import type { TurnStatus } from './turn-status.ts'

/** Facts about a message besides its content. Those of an answer arrive with the stream's `start`, `message-metadata` and `finish` chunks. */
export interface MessageMetadata {
  sessionId?: string
  turnId?: string
  /** The prompt that it answers; answers only. */
  promptId?: string
  /** Set if the prompt was edited or the answer regenerated: which version this is. */
  version?: MessageVersion
  /** The visitor's rating; answers only. */
  feedback?: Feedback
  /** Corrections by staff of an answer, or their replies to a prompt; oldest first. */
  corrections?: Correction[]
  /** That the visitor has left staff a message about this prompt, until it is deleted; prompts only. */
  askedStaff?: AskedStaff
  /** Display name of the model that answered. */
  model?: string
  /** Whether the fallback model answered, because the usual one is unavailable or over its budget. */
  isFallback?: boolean
  /** ISO 8601. */
  createdAt?: string
  status?: TurnStatus
  /** With status `failed` or `interrupted`: why the turn failed. With `done`: `answer_too_long` if the answer was cut. */
  code?: ErrorCode
  /** State for the visitor; ended answers only. */
  state?: AnswerState
  /** Set on answers: an AI system gave it. */
  aiGenerated?: true
  /** How many sentences of the answer were left out or marked because no source supports them. */
  unsupportedSentences?: number
  /** Set if the answer is a fixed text and not written by a model. */
  fixedReply?: FixedReplyKind
  /** First day of validity, an ISO date; approved answers only. */
  approvedOn?: string
}

/** Where the text of a fixed reply comes from. */
export type FixedReplyKind = 'emergency' | 'stop' | 'instructions' | 'approved' | 'route' | 'person'

/** One version of a message, oldest first. `before` and `after` are the ids of its neighbours. */
export interface MessageVersion {
  /** From 1. */
  number: number
  of: number
  before?: string
  after?: string
}

export interface Correction {
  /** Markdown. */
  text: string
  /** ISO 8601. */
  at: string
}

export interface AskedStaff {
  /** ISO 8601. */
  at: string
  /** Whether staff have replied, or closed it without a reply. */
  isClosed: boolean
}

export interface Feedback {
  thumb: 'up' | 'down'
  reason?: string
}

/** A message as stored and shown: the AI SDK's shape. */
export type ChatMessage = UIMessage<MessageMetadata>
export type ChatMessagePart = ChatMessage['parts'][number]
export type ChatChunk = UIMessageChunk<MessageMetadata>
