import { z } from 'zod'
import { MAX_CORRECTION_CHARACTERS } from '../size-limits.ts'
import { ReportedMessage, ReportId, ReportKind, ReportScope } from '../reports.ts'
import { VERDICTS } from './content/verdicts.ts'

const Timestamp = z.iso.datetime()

const SourceFile = z.string().min(1).max(500)

/** A report without any text of its visitor. */
export const ListedReport = z.object({
  id: ReportId,
  kind: ReportKind,
  scope: ReportScope,
  agent: z.string(),
  thumb: z.enum(['up', 'down']).nullable(),
  createdAt: Timestamp,
  expiresAt: Timestamp,
  verdict: z.enum(VERDICTS).nullable(),
  fix: z.string().nullable().describe('Fix in the words of staff.'),
  revision: z.int().describe('Changes with each verdict. Send it back with the next one.'),
  readings: z.int(),
  isCorrected: z.boolean(),
})
export type ListedReport = z.infer<typeof ListedReport>
export const ReportQueue = z.object({
  reports: z.array(ListedReport).describe('Questions that wait, oldest first; then others without a verdict, and the rest, newest first.'),
})
export type ReportQueue = z.infer<typeof ReportQueue>

/** A report, with what staff need to correct the answer. */
export const OpenedReport = ListedReport.extend({
  messages: z.array(ReportedMessage),
  reason: z.string().nullable(),
  sources: z.array(SourceFile).describe('Files that the answer names.'),
  correction: z
    .object({ id: ReportId, text: z.string().describe('Markdown.') })
    .nullable()
    .describe('At this answer, or the reply to a question.'),
})
export type OpenedReport = z.infer<typeof OpenedReport>

export const NewVerdict = z.strictObject({
  verdict: z.enum(VERDICTS),
  fix: z
    .string()
    .trim()
    .max(500)
    .transform((text) => text || null)
    .nullable()
    .default(null)
    .describe('Fix, in words.'),
  revision: z.int().min(0).describe('The one that was read. Another one is rejected, because somebody else decided meanwhile.'),
})

export const NewCorrection = z.strictObject({
  text: z
    .string()
    .transform((text) => text.replaceAll('\0', '').toWellFormed().trim())
    .pipe(z.string().min(1).max(MAX_CORRECTION_CHARACTERS))
    .describe('Markdown.'),
  replaces: ReportId.nullable()
    .optional()
    .describe(
      'The correction that was read at this answer; null for none. With another one, it is rejected: somebody else wrote meanwhile.',
    ),
  source: SourceFile.nullable()
    .default(null)
    .describe(
      'A file that the answer names: the correction then stands at every answer that names the same version of it. An approved answer has a version for each text.',
    ),
})

/** A correction at every answer that names the same version of a file, or at one answer. */
const ListedCorrection = z.object({
  id: ReportId,
  source: z.string().nullable().describe('`null` for one answer.'),
  text: z.string().nullable().describe('`null` for one answer, because it may repeat what its visitor wrote.'),
  agent: z.string().nullable().describe('Agent of the one answer.'),
  at: Timestamp,
})
export const CorrectionList = z.object({ corrections: z.array(ListedCorrection).describe('Newest first.') })
export type CorrectionList = z.infer<typeof CorrectionList>
export const CorrectionStored = z.object({ id: ReportId.describe('Id of the correction.') })
export type CorrectionStored = z.infer<typeof CorrectionStored>
