import { z } from 'zod'
import { SessionId } from './chat.ts'
import { SHARE_DAYS } from './size-limits.ts'
import type { ChatMessagePart } from './message.ts'

const Timestamp = z.iso.datetime()
/** 21 letters and digits from a random source: 125 bits, of its own. */
export const ShareId = SessionId

export const NewShare = z.strictObject({
  days: z.literal(SHARE_DAYS).describe('After so many days the link shows nothing any more.'),
})

/** A link by which anybody who has it can read a chat as it was when the link was made. */
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
  parts: z.array(z.custom<ChatMessagePart>()).meta({ description: 'Text and sources: parts of an AI SDK UIMessage.' }),
})
export type SharedMessage = z.infer<typeof SharedMessage>

/** What a link shows: nothing of who made it. */
export const SharedChat = z.object({
  title: z.string(),
  createdAt: Timestamp,
  expiresAt: Timestamp,
  imported: z.boolean().describe('Whether its visitor brought the chat in from a file: what it says may not come from this assistant.'),
  messages: z.array(SharedMessage).describe('Oldest first; of a very long chat the newest.'),
})
export type SharedChat = z.infer<typeof SharedChat>
