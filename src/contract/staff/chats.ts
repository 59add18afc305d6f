import { z } from 'zod'
import { ANSWER_STATES } from '../chat/answer-state.ts'

const Timestamp = z.iso.datetime()

/** Names a chat in the console only. It changes with the chat's newest prompt, and opens nothing outside. */
export const ChatReference = z.string().regex(/^[0-9a-f]{16}$/)

export const ChatListQuery = z.strictObject({
  after: ChatReference.optional().describe('`next` of the page before.'),
})

/** A chat that staff can open, without its text. */
export const ListedChat = z.object({
  id: ChatReference,
  day: z.iso.date().describe('Day of its newest readable prompt, UTC.'),
  agent: z.string(),
  language: z.string().nullable().describe('Language of that prompt, a primary BCP 47 tag; `null` if its words don’t tell.'),
  messages: z.int().describe('That can be read.'),
  states: z.array(z.object({ state: z.enum(ANSWER_STATES), count: z.int() })).describe('States of the answers among them.'),
  readings: z.int().describe('How often staff have opened it.'),
})
export type ListedChat = z.infer<typeof ListedChat>

export const ChatList = z.object({
  chats: z.array(ListedChat).describe('Newest first.'),
  next: ChatReference.nullable().describe('`null` on the last page.'),
})
export type ChatList = z.infer<typeof ChatList>

const OpenedMessage = z.object({
  role: z.enum(['user', 'assistant']),
  text: z.string(),
  files: z.int().describe('Attached files, which staff can’t open.'),
  state: z.enum(ANSWER_STATES).nullable().describe('State of an answer; `null` for a prompt.'),
  at: Timestamp,
})

export const OpenedChat = ListedChat.extend({
  messages: z.array(OpenedMessage).describe('Those that can be read, oldest first; of a long chat the newest 200.'),
  hidden: z
    .int()
    .describe(
      'Further messages of the chat: sent without accepting that staff read them, answers after such a message, or beyond the 200.',
    ),
})
export type OpenedChat = z.infer<typeof OpenedChat>
