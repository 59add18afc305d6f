import { z } from 'zod'
import { MAX_CHATS_FOUND, MAX_SEARCH_CHARACTERS } from './size-limits.ts'
import { Cursor, limitUpTo, SessionSummary } from './sessions.ts'

export const SearchQuery = z.strictObject({
  q: z
    .string()
    .max(MAX_SEARCH_CHARACTERS)
    .transform((text) => text.replaceAll('\0', '').toWellFormed().trim())
    .pipe(z.string().min(1))
    .describe('Words, all of which are found in one title or message: each by its beginning, whatever its accents and case.'),
  limit: limitUpTo(MAX_CHATS_FOUND).optional().describe(`How many chats at most, up to ${MAX_CHATS_FOUND}.`),
  cursor: Cursor.optional().describe('The `next` of the page before.'),
})

/** A piece of a text; `marked` is what was searched for. */
const Piece = z.object({ text: z.string(), marked: z.boolean() })
export type Piece = z.infer<typeof Piece>

const FoundMessage = z.object({
  message: z.string().describe('Its id.'),
  role: z.enum(['user', 'assistant']),
  snippet: z.array(Piece).describe('The place, with some words around it. Text, never markup.'),
})
export type FoundMessage = z.infer<typeof FoundMessage>

export const FoundChat = z.object({
  session: SessionSummary,
  title: z.array(Piece),
  found: z.array(FoundMessage).describe('Newest first; none where only the title has the words.'),
  more: z.boolean().describe('Whether more of its messages have them.'),
})
export type FoundChat = z.infer<typeof FoundChat>

/** Chats by their last activity, newest first. A page may be short, or empty, and not the last: there was much to read. */
export const SearchReply = z.object({ chats: z.array(FoundChat), next: Cursor.nullable() })
export type SearchReply = z.infer<typeof SearchReply>
