import { z } from 'zod'
import { SessionId } from './chat.ts'
import { boundedCitation, MAX_BREADCRUMB_CHARACTERS, MAX_QUOTE_CHARACTERS } from './citation.ts'
import type { ErrorCode } from './errors.ts'
import { Feedback } from './feedback.ts'
import {
  MAX_ANSWER_CHARACTERS,
  MAX_IMPORTED_CHATS,
  MAX_IMPORTED_MESSAGES,
  MAX_IMPORTED_PARTS,
  MAX_PROMPT_CHARACTERS,
  MAX_TITLE_CHARACTERS,
} from './size-limits.ts'
import { PROBLEMS } from './errors.ts'

const Timestamp = z.iso.datetime()
const Word = z.string().min(1).max(200)
const text = (limit: number) =>
  z
    .string()
    .max(limit)
    .transform((value) => value.replaceAll('\0', '').toWellFormed())
/** An emoji of a prompt is two UTF-16 code units. */
const Text = text(Math.max(MAX_ANSWER_CHARACTERS, MAX_PROMPT_CHARACTERS * 2))

/** `providerMetadata` of a source, bounded: longer text is cut, and an address that is not http or https becomes null. */
export const CitationMetadata = z.object({
  parley: z
    .object({
      breadcrumb: z.string().describe(`\`Title › Section\`; cut after ${MAX_BREADCRUMB_CHARACTERS} characters.`),
      quote: z.string().describe(`The passage, Markdown; cut after ${MAX_QUOTE_CHARACTERS} characters.`),
      asOf: z.string().nullable().describe('ISO date that the content is from.'),
      address: z.string().nullable().describe('The page, http or https.'),
      place: z.string().optional().describe('Where in the file, for example “page 3”.'),
    })
    .transform(boundedCitation),
})

/** A tool's step in an answer; what went in and what came out is JSON of any shape. */
const toolStep = {
  toolCallId: Word,
  title: Word.optional(),
  state: z.enum(['input-available', 'output-available', 'output-error']),
  input: z.unknown().optional(),
  output: z.unknown().optional(),
  errorText: Text.optional(),
}

/**
 * A piece of a message, the AI SDK's part without what only its provider understands.
 * Keys that are not known are left out, so that a newer server's export can be read.
 */
export const ExportedPart = z.union([
  z.object({ type: z.literal('text'), text: Text }),
  z.object({ type: z.literal('reasoning'), id: Word.optional(), text: Text }),
  z.object({ type: z.literal('step-start') }),
  z.object({
    type: z.literal('file'),
    mediaType: Word,
    filename: text(200).optional(),
    url: z.string().max(200).optional().describe('Its end is the beginning of the file’s name in `files/`.'),
  }),
  z.object({ type: z.literal('source-url'), sourceId: Word, url: z.url({ protocol: /^https?$/ }).max(2_000), title: text(500).optional() }),
  z.object({
    type: z.literal('source-document'),
    sourceId: Word,
    mediaType: Word,
    title: text(500),
    filename: text(500).optional(),
    providerMetadata: CitationMetadata.optional().catch(undefined),
  }),
  z.object({ type: z.literal('dynamic-tool'), toolName: Word, ...toolStep }),
  z.object({ type: z.templateLiteral(['tool-', z.string().regex(/^[A-Za-z0-9_-]{1,64}$/)]), ...toolStep }),
  z.object({
    type: z.literal('custom'),
    kind: z.literal('parley.topics'),
    providerMetadata: z.object({ parley: z.object({ topics: z.array(text(500)).max(50) }) }),
  }),
])
export type ExportedPart = z.infer<typeof ExportedPart>

export const ExportedMessage = z.strictObject({
  role: z.enum(['user', 'assistant']),
  createdAt: Timestamp,
  model: z.string().max(200).optional().describe('Which model answered, in words.'),
  status: z.enum(['done', 'stopped', 'failed', 'interrupted']).optional().describe('How the answer ended.'),
  code: z
    .enum(Object.keys(PROBLEMS) as [ErrorCode, ...ErrorCode[]])
    .optional()
    .describe('Why it failed.'),
  feedback: Feedback.optional().describe(
    'What the visitor thought of the answer. An import leaves it out: it was told to another assistant.',
  ),
  follows: z
    .number()
    .int()
    .min(0)
    .optional()
    .describe(
      'Number of the message that it follows, from 1 in this list, smaller than its own; 0 for none. The one before it when not told.',
    ),
  parts: z.array(ExportedPart).max(MAX_IMPORTED_PARTS),
})
export type ExportedMessage = z.infer<typeof ExportedMessage>

export const ExportedChat = z
  .strictObject({
    key: SessionId.optional().describe('Where it was exported; an imported chat gets a key of its own.'),
    title: text(MAX_TITLE_CHARACTERS),
    agent: Word,
    createdAt: Timestamp,
    updatedAt: Timestamp,
    messages: z
      .array(ExportedMessage)
      .min(1)
      .max(MAX_IMPORTED_MESSAGES)
      .describe('All that was said. Prompts that were edited and answers that were written again follow the same message.'),
    lastShown: z
      .number()
      .int()
      .min(1)
      .optional()
      .describe('Number of the message with which the branch ends that is shown; the last of the list when not told.'),
  })
  .refine(({ messages, lastShown = 1 }) => lastShown <= messages.length && messages.every(({ follows = 0 }, index) => follows <= index))
export type ExportedChat = z.infer<typeof ExportedChat>

/**
 * `parley.json` of an export, and what an import takes. Any of its chats with the same head is a valid document too:
 * a large export is imported in several calls.
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
  imported: z.number().int().describe('Chats that are there now and were not before.'),
  skipped: z.number().int().describe('Chats that had been imported before.'),
  withoutRoom: z
    .number()
    .int()
    .describe('Chats that were left out: this visitor has imported 50 million characters. Deleting some makes room.'),
  sessions: z.array(SessionId).describe('The keys of the imported chats.'),
})
export type ImportReply = z.infer<typeof ImportReply>
