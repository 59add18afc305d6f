import { z } from 'zod'
import { MAX_CHATS_FOUND, MAX_SEARCH_CHARACTERS } from '../size-limits.ts'
import { Cursor, limitUpTo, SessionSummary } from './sessions.ts'

export const SearchQuery = z.strictObject({
  q: z
    .string()
    .max(MAX_SEARCH_CHARACTERS)
    .transform((text) => text.replaceAll('\0', '').toWellFormed().trim())
    .pipe(z.string().min(1))
    .describe(
      'Words to search for. A title or message matches if it contains words that start with each of them, ignoring case and accents.',
    ),
  limit: limitUpTo(MAX_CHATS_FOUND).optional().describe(`Maximum number of chats, up to ${MAX_CHATS_FOUND}.`),
  cursor: Cursor.optional().describe('The `next` of the previous page.'),
})

const Piece = z.object({ text: z.string(), marked: z.boolean() })
export type Piece = z.infer<typeof Piece>

export const FoundChat = z.object({
  session: SessionSummary,
  excerpt: z.array(Piece).describe('The newest match with some surrounding words, plain text; empty if only the title matches.'),
})
export type FoundChat = z.infer<typeof FoundChat>

/** Chats by last activity, newest first. A page other than the last can be short or empty, because each call reads a bounded amount. */
export const SearchReply = z.object({ chats: z.array(FoundChat), next: Cursor.nullable() })
export type SearchReply = z.infer<typeof SearchReply>
