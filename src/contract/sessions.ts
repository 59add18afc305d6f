import { z } from 'zod'
import { SessionId } from './chat.ts'
import type { ErrorCode } from './errors.ts'
import type { ChatChunk, ChatMessage } from './message.ts'

export const TurnId = z.string().regex(/^t_[A-Za-z0-9]{21}$/)

/** `running`, or one of the four ends; an end never changes. */
export const TurnStatus = z.enum(['running', 'done', 'stopped', 'failed', 'interrupted'])
export type TurnStatus = z.infer<typeof TurnStatus>

const Timestamp = z.iso.datetime()

export const SessionSummary = z.object({
  key: SessionId,
  title: z.string(),
  agent: z.string(),
  createdAt: Timestamp,
  updatedAt: Timestamp,
  expiresAt: Timestamp.describe('When it is deleted, if nothing happens in it until then.'),
  runningTurn: TurnId.nullable().describe('The turn that is being answered now; follow it at /api/v1/turns/{turn}/stream.'),
})
export type SessionSummary = z.infer<typeof SessionSummary>

/** Newest activity first, at most `MAX_LISTED_SESSIONS`. */
export const SessionList = z.object({ sessions: z.array(SessionSummary) })
export type SessionList = z.infer<typeof SessionList>

/** Parts are the AI SDK's and are read leniently: a reader ignores those that it does not know. */
const Message = z.custom<ChatMessage>().meta({
  type: 'object',
  description: 'An AI SDK UIMessage: id, role (user or assistant), parts, and metadata as in MessageMetadata.',
})

/**
 * What a reader of `/api/v1/me/events` is told: a session in its newest state, that one is gone, or (first of all, and whenever
 * something may have been missed) that the list is to be loaded anew. Events are named by their `type`; their data is the rest.
 */
export type SessionEvent = { type: 'resync' } | { type: 'session'; session: SessionSummary } | { type: 'session-deleted'; key: string }

export const SessionDetail = SessionSummary.extend({
  messages: z.array(Message).describe('Oldest first. The answer of a running turn is not among them: follow the turn.'),
})
export type SessionDetail = z.infer<typeof SessionDetail>

export const Turn = z.object({
  id: TurnId,
  session: SessionId,
  status: TurnStatus,
  code: z
    .custom<ErrorCode>()
    .nullable()
    .meta({ type: ['string', 'null'], description: 'Why it failed.' }),
})
export type Turn = z.infer<typeof Turn>

/** What came of a turn after an event: about 64 KB at most. */
export const TurnEvents = z.object({
  events: z.array(
    z.object({
      seq: z.number().int().describe('Number of the event; ask for what comes after it.'),
      chunk: z.custom<ChatChunk>().meta({ type: 'object', description: 'A chunk of the AI SDK’s UI message stream.' }),
    }),
  ),
  status: TurnStatus.describe('When it is not `running` any more and there are no events, everything has been read.'),
})
export type TurnEvents = z.infer<typeof TurnEvents>

export const Visitor = z.object({
  sub: z.string(),
  name: z.string().describe('“User”, or what the sign-in provider calls somebody who signed in.'),
  picture: z.string(),
  signedIn: z.boolean(),
})
export type Visitor = z.infer<typeof Visitor>

/** `visitor` is null until the first accepted prompt. */
export const Me = z.object({ visitor: Visitor.nullable() })
export type Me = z.infer<typeof Me>
