import { z } from 'zod'
import { ANSWER_STATES } from './answer-state.ts'
import { SessionId } from './chat.ts'
import { type ErrorCode, PROBLEMS } from '../errors.ts'
import { Feedback } from './feedback.ts'
import { ShortText, textUpTo } from './parts/stored-part.ts'
import { ExportedPart } from './parts/stored-parts.ts'
import {
  MAX_CORRECTION_CHARACTERS,
  MAX_IMPORTED_CHATS,
  MAX_IMPORTED_MESSAGES,
  MAX_IMPORTED_PARTS,
  MAX_TITLE_CHARACTERS,
} from '../size-limits.ts'

const Timestamp = z.iso.datetime()
export const ExportedMessage = z.strictObject({
  role: z.enum(['user', 'assistant']),
  createdAt: Timestamp,
  model: z.string().max(200).optional().describe('Display name of the model that answered.'),
  aiGenerated: z.literal(true).optional().describe('Set on answers: an AI system gave them.'),
  status: z.enum(['done', 'stopped', 'failed', 'interrupted']).optional().describe('How the answer ended.'),
  code: z
    .enum(Object.keys(PROBLEMS) as [ErrorCode, ...ErrorCode[]])
    .optional()
    .describe('Why it failed.'),
  state: z.enum(ANSWER_STATES).optional().describe('State of the answer, such as `answered` or `not_covered`.'),
  feedback: Feedback.optional().describe('The visitor’s rating of the answer. Imports drop it, because it rated another assistant.'),
  corrections: z
    .array(z.strictObject({ text: z.string().max(MAX_CORRECTION_CHARACTERS), at: Timestamp }))
    .max(100)
    .optional()
    .describe('Corrections by staff. Imports drop them, because they are about another assistant.'),
  follows: z
    .number()
    .int()
    .min(0)
    .optional()
    .describe(
      'Number of the message before this one, from 1 in this list and smaller than its own; 0 for none. Defaults to the previous message.',
    ),
  parts: z.array(ExportedPart).max(MAX_IMPORTED_PARTS),
})
export type ExportedMessage = z.infer<typeof ExportedMessage>

export const ExportedChat = z
  .strictObject({
    key: SessionId.optional().describe('Key of the exported chat; an imported chat gets a new one.'),
    title: textUpTo(MAX_TITLE_CHARACTERS),
    agent: ShortText,
    createdAt: Timestamp,
    updatedAt: Timestamp,
    messages: z
      .array(ExportedMessage)
      .min(1)
      .max(MAX_IMPORTED_MESSAGES)
      .describe('All messages of all branches. Versions of a message follow the same message.'),
    lastShown: z
      .number()
      .int()
      .min(1)
      .optional()
      .describe('Number of the last message of the shown branch; defaults to the last of the list.'),
  })
  .refine(({ messages, lastShown = 1 }) => lastShown <= messages.length && messages.every(({ follows = 0 }, index) => follows <= index))
export type ExportedChat = z.infer<typeof ExportedChat>

/**
 * `parley.json` of an export, and the body of an import. A document with some of its chats is valid too, so a large export
 * can be imported in several calls.
 */
export const ExportDocument = z.strictObject({
  format: z.literal('parley-export'),
  version: z.literal(1),
  exportedAt: Timestamp,
  installation: z.string().max(200),
  chats: z.array(ExportedChat).max(MAX_IMPORTED_CHATS),
})
export type ExportDocument = z.infer<typeof ExportDocument>

export const ExportFormat = z.enum(['markdown', 'json'])

export const ImportReply = z.object({
  imported: z.number().int().describe('New chats.'),
  skipped: z.number().int().describe('Chats that were imported before.'),
  withoutRoom: z
    .number()
    .int()
    .describe('Chats left out, because this visitor has imported 50 million characters. Deleting chats makes room.'),
  sessions: z.array(SessionId).describe('The keys of the imported chats.'),
})
export type ImportReply = z.infer<typeof ImportReply>
