import { z } from 'zod'
import { MessageId, SessionId } from './chat/chat.ts'
import { MAX_REASON_CHARACTERS, MAX_REPORTED_CHARACTERS, MAX_REPORTED_MESSAGES } from './size-limits.ts'

const Timestamp = z.iso.datetime()
const clean = (text: string) => text.replaceAll('\0', '').toWellFormed()

/** Scope of a report: the rating (or the message to staff) alone, one answer with its prompt, or the chat. */
export const ReportScope = z.enum(['rating', 'answer', 'chat'])
export type ReportScope = z.infer<typeof ReportScope>

/** `problem` with an answer, or a `question` to staff about a prompt. */
export const ReportKind = z.enum(['problem', 'question'])

export const ReportId = z.string().regex(/^[0-9a-f]{16}$/)

const Text = z.string().max(MAX_REPORTED_CHARACTERS)
const role = z.enum(['user', 'assistant'])
/** A message as the visitor wants it read: shortened, or empty. */
export const ReportedMessage = z.object({ role, text: Text })
export type ReportedMessage = z.infer<typeof ReportedMessage>

export const NewReport = z
  .strictObject({
    message: MessageId.describe('The answer with a problem, or the prompt that a person should answer.'),
    scope: ReportScope,
    messages: z
      .array(z.strictObject({ role, text: Text.transform(clean) }))
      .max(MAX_REPORTED_MESSAGES)
      .default([])
      .describe('Messages that staff may read, oldest first; empty with the scope `rating`.'),
    reason: z
      .string()
      .max(MAX_REASON_CHARACTERS)
      .transform((text) => clean(text).trim())
      .optional()
      .describe('Required about a prompt: the message to staff.'),
  })
  .refine(({ scope, messages }) => (scope === 'rating') === (messages.length === 0))
  .refine(({ messages }) => messages.reduce((sum, { text }) => sum + text.length, 0) <= MAX_REPORTED_CHARACTERS, {
    message: 'report_too_large',
  })
export type NewReport = z.infer<typeof NewReport>

export const OwnReport = z.object({
  id: ReportId,
  kind: ReportKind,
  session: SessionId,
  title: z.string().describe('Title of the chat.'),
  scope: ReportScope,
  messages: z.array(ReportedMessage).describe('Messages that were handed over.'),
  reason: z.string().nullable(),
  reply: z.string().nullable().describe('Reply of staff to a question, Markdown.'),
  createdAt: Timestamp,
  expiresAt: Timestamp.describe('When it is deleted at the latest.'),
})
export type OwnReport = z.infer<typeof OwnReport>

/** That somebody on the staff has opened a report or a chat. It stays as long as the chat. */
export const Reading = z.object({
  report: ReportId.nullable().describe('`null` if they opened the chat itself.'),
  title: z.string(),
  at: Timestamp,
  role: z.enum(['owner', 'editor', 'reviewer']),
})
export type Reading = z.infer<typeof Reading>

export const OwnReports = z.object({ reports: z.array(OwnReport), readings: z.array(Reading).describe('Newest first.') })
export type OwnReports = z.infer<typeof OwnReports>

export const ReportWithdrawn = z.object({ withdrawn: z.literal(true) })
