import { z } from 'zod'
import { PageContext } from './page-context.ts'
import { MessageId, SessionId } from './chat.ts'
import { MAX_LISTED_SESSIONS, MAX_MESSAGES_A_PAGE } from '../size-limits.ts'
import type { ErrorCode } from '../errors.ts'
import type { ChatChunk, ChatMessage } from './message.ts'
import { TURN_STATUSES } from './turn-status.ts'

export const TurnId = z.string().regex(/^t_[A-Za-z0-9]{21}$/)

export const TurnStatus = z.enum(TURN_STATUSES)

const Timestamp = z.iso.datetime()

export const SessionSummary = z.object({
  key: SessionId,
  title: z.string(),
  agent: z.string(),
  createdAt: Timestamp,
  updatedAt: Timestamp,
  expiresAt: Timestamp.describe('When it is deleted without further activity.'),
  runningTurn: TurnId.nullable().describe('The running turn; follow it at /api/v1/turns/{turn}/stream.'),
})
export type SessionSummary = z.infer<typeof SessionSummary>

/** A limit in a query string. Larger numbers count as `most`. */
export const limitUpTo = (most: number) =>
  z
    .string()
    .regex(/^[1-9]\d{0,8}$/)
    .transform((digits) => Math.min(Number(digits), most))

/** Opaque position at which the next page of a list starts. */
export const Cursor = z.string().min(1).max(400)

export const SessionListQuery = z.strictObject({
  limit: limitUpTo(MAX_LISTED_SESSIONS).optional().describe(`Maximum number of sessions, up to ${MAX_LISTED_SESSIONS}, the default.`),
  cursor: Cursor.optional().describe('The `next` of the previous page.'),
})

/** A page of the list, newest activity first. */
export const SessionList = z.object({
  sessions: z.array(SessionSummary),
  next: Cursor.nullable().describe('Cursor of the next page; null on the last one.'),
})
export type SessionList = z.infer<typeof SessionList>

/** Parts are those of the AI SDK. Readers ignore unknown parts. */
const Message = z.custom<ChatMessage>().meta({
  type: 'object',
  description: 'An AI SDK UIMessage: id, role (user or assistant), parts, and metadata as in MessageMetadata.',
})

/**
 * Events of `/api/v1/me/events`. `resync` comes first, and whenever events may have been missed: the client reloads the list.
 * `session` carries the current state of a session. The event name is the `type`; the data is the remaining fields.
 */
export type SessionEvent = { type: 'resync' } | { type: 'session'; session: SessionSummary } | { type: 'session-deleted'; key: string }

const limit = limitUpTo(MAX_MESSAGES_A_PAGE).optional().describe(`Maximum number of messages, up to ${MAX_MESSAGES_A_PAGE}.`)

export const SessionDetailQuery = z.strictObject({ limit })

/** The newest of the requested messages of a session; without a limit, as many as fit in 4 MB. */
export const MessagePage = z.object({
  messages: z
    .array(Message)
    .describe('Messages of the current branch, oldest first. Excludes the answer of a running turn: follow the turn.'),
  earlier: Cursor.nullable().describe('Pass it as `before` to read earlier messages; null if there are none.'),
})
export type MessagePage = z.infer<typeof MessagePage>

export const SessionDetail = SessionSummary.extend(MessagePage.shape)
export type SessionDetail = z.infer<typeof SessionDetail>

export const MessagePageQuery = z.strictObject({
  before: Cursor.optional().describe('The `earlier` of the previous page.'),
  limit,
})
/** A message of the session, on any branch. */
export const OneMessage = z.strictObject({ message: MessageId })

export const RegenerateBody = z.strictObject({
  message: MessageId.optional().describe('The id of the answer or its prompt; defaults to the last answer of the current branch.'),
  context: PageContext,
})

export const Turn = z.object({
  id: TurnId,
  session: SessionId,
  status: TurnStatus,
  code: z
    .custom<ErrorCode>()
    .meta({ type: 'string' })
    .nullable()
    .meta({ description: 'Why it failed; with `done`, why the answer is incomplete.' }),
})
export type Turn = z.infer<typeof Turn>

/** Events of a turn after a given one, about 64 KB at most. */
export const TurnEvents = z.object({
  events: z.array(
    z.object({
      seq: z.number().int().describe('Sequence number of the event; pass the last one to read the events after it.'),
      chunk: z.custom<ChatChunk>().meta({ type: 'object', description: 'A chunk of the AI SDK’s UI message stream.' }),
    }),
  ),
  status: TurnStatus.describe('Once it is not `running` and `events` is empty, everything has been read.'),
})
export type TurnEvents = z.infer<typeof TurnEvents>

export const Visitor = z.object({
  sub: z.string(),
  name: z.string().describe('“User”.'),
  picture: z.string(),
})
export type Visitor = z.infer<typeof Visitor>

/** `visitor` is null until the first accepted prompt. */
export const Me = z.object({ visitor: Visitor.nullable() })
