import { z } from 'zod'

export const MAX_LISTED_DOCUMENTS = 5_000
const MAX_OWNER_CHARACTERS = 200
const MAX_TITLE_CHARACTERS = 200

/** Id of an uploaded document: 16 hexadecimal digits, or what a script has chosen. */
export const UploadId = z.string().regex(/^[a-z0-9][a-z0-9-]{0,63}$/)

/** Name of a document: what is no part of a plain file name becomes a hyphen. */
const UploadName = z
  .string()
  .max(1_000)
  .transform((name) =>
    name
      .toWellFormed()
      .normalize('NFC')
      .replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}/\\:*?"<>|#%]+/gu, '-')
      .replaceAll(/\s+/g, ' ')
      .replaceAll(/^[\s.-]+/g, '')
      .trim(),
  )
  .pipe(z.string().min(1))

const oneLine = (maxCharacters: number) =>
  z
    .string()
    .max(1_000)
    .transform((text) =>
      text
        .toWellFormed()
        .replaceAll(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ')
        .trim(),
    )
    .pipe(z.string().max(maxCharacters))
const optionalLine = (maxCharacters: number) => oneLine(maxCharacters).transform((text) => (text === '' ? null : text))

const FACTS = {
  owner: oneLine(MAX_OWNER_CHARACTERS).pipe(z.string().min(1)).describe('Who answers for it.'),
  title: optionalLine(MAX_TITLE_CHARACTERS).nullable().default(null).describe('In place of the document’s own.'),
  language: z
    .union([z.literal('').transform(() => null), z.string().regex(/^[a-z]{2,3}(-[A-Za-z0-9]{2,8})*$/), z.null()])
    .default(null)
    .describe('BCP 47 tag.'),
  validUntil: z
    .union([z.literal('').transform(() => null), z.iso.date(), z.null()])
    .default(null)
    .describe('Last day on which it answers, in UTC.'),
}
const base = z.int().min(1).max(2_000_000_000).describe('The revision that the change is based on.')
const baseInQuery = z
  .string()
  .regex(/^[1-9]\d{0,8}$/)
  .transform(Number)
  .describe('The revision that the change is based on.')

export const NewUploadQuery = z.strictObject({ name: UploadName.describe('Name of the file, with its ending.'), ...FACTS })
export const PushQuery = z.strictObject({
  name: UploadName.optional().describe('Name of the file, with its ending. Otherwise the id, with the ending of the type.'),
  owner: FACTS.owner.optional().describe('Who answers for it. Otherwise as it was, or the name of the token.'),
  title: FACTS.title.unwrap().optional(),
  language: FACTS.language.unwrap().optional(),
  validUntil: FACTS.validUntil.unwrap().optional(),
})
export const UploadFactsChange = z.strictObject({
  base,
  ...FACTS,
  isDraft: z.boolean().default(false).describe('Whether it waits to be published, and doesn’t answer.'),
})
export const ReplaceUploadQuery = z.strictObject({ base: baseInQuery, name: UploadName.describe('Name of the file, with its ending.') })
export const RestoreUpload = z.strictObject({ base, version: z.int().min(1) })
export const DeleteQuery = z.strictObject({ base: baseInQuery })

const UploadVersionView = z.object({
  number: z.int(),
  name: z.string(),
  hash: z.string(),
  bytes: z.int(),
  characters: z.int(),
  asOf: z.string(),
  since: z.iso.datetime(),
})

export const UploadView = z.object({
  id: UploadId,
  name: z.string(),
  file: z.string().describe('How answers and stops name it.'),
  title: z.string().nullable(),
  owner: z.string(),
  language: z.string().nullable(),
  validUntil: z.string().nullable(),
  isExpired: z.boolean(),
  isDraft: z.boolean().describe('Whether it waits to be published, and doesn’t answer.'),
  revision: z.int(),
  version: z.int(),
  bytes: z.int(),
  asOf: z.string(),
  changedAt: z.iso.datetime(),
})
export type UploadView = z.infer<typeof UploadView>

export const UploadDetails = UploadView.extend({
  versions: z.array(UploadVersionView).describe('Newest first.'),
  text: z.string().nullable().describe('Text of a Markdown or text document; `null` for others.'),
})
export type UploadDetails = z.infer<typeof UploadDetails>

/** A document of the knowledge, wherever it comes from. */
export const KnowledgeDocument = z.object({
  file: z.string(),
  source: z.string().describe('`folder`, `uploads`, or the id of a website.'),
  state: z.enum(['answers', 'indexing', 'draft', 'expired', 'left-out']),
  title: z.string().nullable(),
  bytes: z.int().nullable(),
  passages: z.int(),
  language: z.string().nullable(),
  asOf: z.string().nullable(),
  problems: z.array(z.string()),
  upload: UploadView.nullable(),
})
export type KnowledgeDocument = z.infer<typeof KnowledgeDocument>

export const WebsiteView = z.object({
  id: z.string(),
  address: z.string().nullable().describe('`null` if `sources.yaml` no longer names it.'),
  isRunning: z.boolean(),
  isLive: z.boolean().describe('Whether answers use pages of it.'),
  isPinned: z.boolean().describe('Whether staff rolled it back, so that later runs wait.'),
  lastRun: z
    .object({
      endedAt: z.iso.datetime().nullable(),
      outcome: z.enum(['done', 'held', 'failed', 'interrupted', 'crashed']),
      reason: z.string().nullable().describe('Why it failed or is held.'),
      pages: z.int().describe('How many answer.'),
      counts: z.record(z.string(), z.int()).describe('Pages by what the run did with them, such as `new` or `held`.'),
      notes: z
        .array(z.object({ address: z.string(), state: z.string(), reason: z.string() }))
        .describe('Pages that are not in, or only with an earlier text, and sitemaps that could not be read; the first of many.'),
    })
    .nullable(),
  waits: z.boolean().describe('Whether something was held back that can be accepted.'),
  holdsPages: z.boolean().describe('Whether single pages can be accepted or kept.'),
  canRollBack: z.boolean(),
})
export type WebsiteView = z.infer<typeof WebsiteView>

export const KnowledgeView = z.object({
  documents: z.array(KnowledgeDocument),
  isComplete: z.boolean().describe('Whether all documents are listed; otherwise, the first ones.'),
  websites: z.array(WebsiteView),
  problems: z.array(z.string()).describe('Those that concern no listed document.'),
  uploadLimits: z.object({ bytes: z.int(), count: z.int(), totalBytes: z.int() }),
})
export type KnowledgeView = z.infer<typeof KnowledgeView>

export const WebsiteAction = z.strictObject({ action: z.enum(['sync', 'accept', 'roll-back']) })
export type WebsiteAction = z.infer<typeof WebsiteAction>
export const NewWebsite = z.strictObject({
  address: z.string().trim().min(1).max(2_000).describe('As people write it: the scheme may be missing.'),
})
export const WebsiteActionDone = z.object({ message: z.string() })
export type WebsiteActionDone = z.infer<typeof WebsiteActionDone>
