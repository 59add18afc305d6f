import type { UIMessage, UIMessageChunk } from 'ai'
import type { ErrorCode } from './errors.ts'
import type { TurnStatus } from './sessions.ts'

/** Facts about a message that are not its content. On an answer they arrive with the stream's `start`, `message-metadata` and `finish` chunks. */
export interface MessageMetadata {
  sessionId?: string
  turnId?: string
  /** On an answer: the message that it answers. */
  promptId?: string
  /** Where there are several versions of a message, a prompt that was edited or an answer that was written again: which of them this is. */
  version?: MessageVersion
  /** On an answer: what the visitor thinks of it. */
  feedback?: Feedback
  /** Which model answered, in words for the visitor. */
  model?: string
  /** Whether that is the operator's other model, because the usual one cannot answer for now or may spend nothing more. */
  isFallback?: boolean
  /** ISO 8601. */
  createdAt?: string
  status?: TurnStatus
  /** Why the turn failed, with status `failed` or `interrupted`; with `done`, why the answer ends before its end: `answer_too_long`. */
  code?: ErrorCode
}

/** One of the versions of a message, oldest first; `before` and `after` are the ids of those beside it. */
export interface MessageVersion {
  /** From 1. */
  number: number
  of: number
  before?: string
  after?: string
}

/** What a visitor thinks of an answer, and why. */
export interface Feedback {
  thumb: 'up' | 'down'
  reason?: string
}

/** A message as stored and shown: the AI SDK's shape. */
export type ChatMessage = UIMessage<MessageMetadata>
export type ChatMessagePart = ChatMessage['parts'][number]
/** A file of a prompt; its `url` is `/api/v1/files/{id}`. */
export type FilePart = Extract<ChatMessagePart, { type: 'file' }>
export type ChatChunk = UIMessageChunk<MessageMetadata>

/** `kind` of the custom part that offers topics to ask about; they are in `providerMetadata.parley.topics` (strings). */
export const TOPICS_KIND = 'parley.topics'

/** The message's text parts, joined: the seed's `content`. */
export function textOf(message: Pick<ChatMessage, 'parts'>): string {
  return message.parts.map((part) => (part.type === 'text' ? part.text : '')).join('')
}

/** The files that go with a prompt. */
export const filesOf = (message: Pick<ChatMessage, 'parts'>): FilePart[] => message.parts.filter((part) => part.type === 'file')

/** The topics that an answer offers, if it offers any. */
export function topicsOf(message: Pick<ChatMessage, 'parts'>): string[] {
  return message.parts.flatMap((part) => {
    if (part.type !== 'custom' || part.kind !== TOPICS_KIND) return []
    const topics: unknown = part.providerMetadata?.['parley']?.['topics']
    return Array.isArray(topics) ? topics.filter((topic) => typeof topic === 'string') : []
  })
}

/** What a part of thoughts says of itself beside its text: how long it took to think them. */
export const durationMetadata = (durationMs: number) => ({ parley: { durationMs } })

/** How long the agent thought, in milliseconds; undefined while it does, and where nobody measured. */
export function durationOf({ providerMetadata }: Extract<ChatMessagePart, { type: 'reasoning' }>): number | undefined {
  const durationMs = providerMetadata?.['parley']?.['durationMs']
  return typeof durationMs === 'number' ? durationMs : undefined
}
