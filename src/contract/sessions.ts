import { z } from 'zod'
import { MessageId, SessionId } from './chat.ts'
import { MAX_LISTED_SESSIONS, MAX_MESSAGES_A_PAGE, MAX_TITLE_CHARACTERS } from './size-limits.ts'
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
  pinned: z.boolean().describe('Whether its visitor wants it at the top.'),
  createdAt: Timestamp,
  updatedAt: Timestamp,
  expiresAt: Timestamp.describe('When it is deleted, if nothing happens in it until then.'),
  runningTurn: TurnId.nullable().describe('The turn that is being answered now; follow it at /api/v1/turns/{turn}/stream.'),
})
export type SessionSummary = z.infer<typeof SessionSummary>

/** How many are wanted at most, as it stands in an address. More than there is to give is as much as that. */
export const limitUpTo = (most: number) =>
  z
    .string()
    .regex(/^[1-9]\d{0,8}$/)
    .transform((digits) => Math.min(Number(digits), most))

/** Where a list goes on; only the list before it knows what it says. */
export const Cursor = z.string().min(1).max(400)

export const SessionListQuery = z.strictObject({
  limit: limitUpTo(MAX_LISTED_SESSIONS).optional().describe(`At most ${MAX_LISTED_SESSIONS}, which is also what there is without it.`),
  cursor: Cursor.optional().describe('The `next` of the page before.'),
})

/** A page of the list: those that are pinned first, and then by their last activity, newest first. */
export const SessionList = z.object({
  sessions: z.array(SessionSummary),
  next: Cursor.nullable().describe('Asks for the page after this one; null when this is the last.'),
})
export type SessionList = z.infer<typeof SessionList>

// What draws nothing: a title of only these is none.
const INVISIBLE = /[\s\p{Cf}\p{Cc}]/gu

/** One line: breaks and controls become spaces, as they do in a title made of a prompt. */
const SessionTitle = z
  .string()
  .max(MAX_TITLE_CHARACTERS * 4)
  .transform((text) =>
    text
      .toWellFormed()
      .replaceAll(/[\s\p{Cc}]+/gu, ' ')
      .trim(),
  )
  .pipe(z.string().max(MAX_TITLE_CHARACTERS))
  .refine((text) => text.replaceAll(INVISIBLE, '') !== '')

/** What a visitor may say of a session. */
export const SessionDescription = z
  .strictObject({
    title: SessionTitle.optional().describe(`One line of 1 to ${MAX_TITLE_CHARACTERS} UTF-16 code units. The model changes it no more.`),
    pinned: z.boolean().optional().describe('Whether it stays at the top of the list.'),
  })
  .refine((description) => Object.keys(description).length > 0)
export type SessionDescription = z.infer<typeof SessionDescription>

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

const limit = limitUpTo(MAX_MESSAGES_A_PAGE).optional().describe(`How many messages at most, up to ${MAX_MESSAGES_A_PAGE}.`)

export const SessionDetailQuery = z.strictObject({ limit })

/** Messages of a session, the newest of those that were asked for: without a number as many as are 4 MB. */
export const MessagePage = z.object({
  messages: z
    .array(Message)
    .describe('Of the current branch, oldest first. The answer of a running turn is not among them: follow the turn.'),
  earlier: Cursor.nullable().describe('Asks, as `before`, for the messages before these; null when the first is among them.'),
})
export type MessagePage = z.infer<typeof MessagePage>

export const SessionDetail = SessionSummary.extend(MessagePage.shape)
export type SessionDetail = z.infer<typeof SessionDetail>

export const MessagePageQuery = z.strictObject({
  before: Cursor.optional().describe('The `earlier` of the page that is there.'),
  until: z.string().min(1).max(64).optional().describe('The id of a message: the page reaches back to it, if that is no more than 4 MB.'),
  limit,
})
/** One of a session's messages, on whichever branch. */
export const OneMessage = z.strictObject({ message: MessageId })

export const RegenerateBody = z.strictObject({
  message: MessageId.optional().describe('The answer, or its prompt; without it, the last one of the current branch.'),
})

export const Turn = z.object({
  id: TurnId,
  session: SessionId,
  status: TurnStatus,
  code: z
    .custom<ErrorCode>()
    .nullable()
    .meta({ type: ['string', 'null'], description: 'Why it failed; with `done`, why the answer ends before its end.' }),
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
