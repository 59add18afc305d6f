import { z } from 'zod'
import { ANSWER_STATES } from './answer-state.ts'
import { SessionId } from './chat.ts'
import { type ErrorCode, PROBLEMS } from '../errors.ts'
import { Feedback } from './feedback.ts'
import { ShortText, textUpTo } from './parts/stored-part.ts'
import { ExportedPart } from './parts/stored-parts.ts'
import { MAX_CORRECTION_CHARACTERS, MAX_TITLE_CHARACTERS } from '../size-limits.ts'

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
  feedback: Feedback.optional().describe('The visitor’s rating of the answer.'),
  corrections: z
    .array(z.strictObject({ text: z.string().max(MAX_CORRECTION_CHARACTERS), at: Timestamp }))
    .max(100)
    .optional()
    .describe('Corrections by staff.'),
  follows: z
    .number()
    .int()
    .min(0)
    .optional()
    .describe(
      'Number of the message before this one, from 1 in this list and smaller than its own; 0 for none. Defaults to the previous message.',
    ),
  parts: z.array(ExportedPart),
})
export type ExportedMessage = z.infer<typeof ExportedMessage>

export const ExportedChat = z
  .strictObject({
    key: SessionId,
    title: textUpTo(MAX_TITLE_CHARACTERS),
    agent: ShortText,
    createdAt: Timestamp,
    updatedAt: Timestamp,
    messages: z.array(ExportedMessage).min(1).describe('All messages of all branches. Versions of a message follow the same message.'),
    lastShown: z
      .number()
      .int()
      .min(1)
      .optional()
      .describe('Number of the last message of the shown branch; defaults to the last of the list.'),
  })
  .refine(({ messages, lastShown = 1 }) => lastShown <= messages.length && messages.every(({ follows = 0 }, index) => follows <= index))
export type ExportedChat = z.infer<typeof ExportedChat>

/** `parley.json` of an export. */
export const ExportDocument = z.strictObject({
  format: z.literal('parley-export'),
  version: z.literal(1),
  exportedAt: Timestamp,
  installation: z.string().max(200),
  chats: z.array(ExportedChat),
})
export type ExportDocument = z.infer<typeof ExportDocument>

export const ExportFormat = z.enum(['markdown', 'json'])
