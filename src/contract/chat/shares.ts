import { z } from 'zod'
import { SessionId } from './chat.ts'
import { SHARE_DAYS } from '../size-limits.ts'
import type { ChatMessagePart } from './message.ts'

const Timestamp = z.iso.datetime()
/** Random and independent of the session’s id: 21 letters and digits, 125 bits. */
export const ShareId = SessionId

export const NewShare = z.strictObject({
  days: z.literal(SHARE_DAYS).describe('Days until the link expires.'),
})

/** A link to a snapshot of a chat. Anyone with the link can read it. */
export const Share = z.object({
  id: ShareId,
  session: SessionId,
  title: z.string(),
  createdAt: Timestamp,
  expiresAt: Timestamp,
})
export type Share = z.infer<typeof Share>

export const ShareList = z.object({ shares: z.array(Share) })
export type ShareList = z.infer<typeof ShareList>

export const ShareRevoked = z.object({ revoked: z.literal(true) })

const SharedMessage = z.object({
  role: z.enum(['user', 'assistant']),
  position: z.int().optional().describe('Position of the message in the chat.'),
  corrections: z
    .array(z.object({ text: z.string(), at: Timestamp }))
    .optional()
    .describe('Corrections of this answer by staff: Markdown.'),
  parts: z.array(z.custom<ChatMessagePart>()).meta({ description: 'Text and sources, as parts of an AI SDK UIMessage.' }),
})
export type SharedMessage = z.infer<typeof SharedMessage>

/** The content of a shared link. Does not identify the visitor who created it. */
export const SharedChat = z.object({
  title: z.string(),
  createdAt: Timestamp,
  expiresAt: Timestamp,
  messages: z.array(SharedMessage).describe('Oldest first; a very long chat is cut to its newest messages.'),
})
export type SharedChat = z.infer<typeof SharedChat>
