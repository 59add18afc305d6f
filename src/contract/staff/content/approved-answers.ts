import { z } from 'zod'
import { PAGE_LANGUAGES } from '../../page-languages.ts'
import { DRAFT, HasChanges, HiddenBy, PUBLICATION, PublishedNumber, Revision } from './managed-texts.ts'

/** Letters of its id, and of the name of its file. */
export const ApprovedAnswerId = z.string().regex(/^[a-z0-9][a-z0-9-]{0,63}$/)
/** Id of an answer, from a file or managed: the path of its file below `approved`, without the ending. */
export const AnyApprovedAnswerId = z.string().min(1).max(500)

const text = (maxCharacters: number) => z.string().max(maxCharacters)
const Wordings = z.array(text(1_000)).max(200)

/** An answer as it is being written. Wider than what can be published, so that a draft with problems can be saved. */
export const ApprovedDraft = z.strictObject({
  question: text(1_000),
  matches: Wordings.describe('Other wordings of the question.'),
  mustNotMatch: Wordings.describe('Prompts that resemble it and ask something else.'),
  languages: z.array(z.enum(PAGE_LANGUAGES)).max(PAGE_LANGUAGES.length),
  owner: text(1_000).describe('Who answers for it.'),
  sourceTitle: text(1_000),
  sourceUrl: text(3_000).describe('Empty for none.'),
  validFrom: text(20).describe('First day on which it answers, an ISO date in UTC.'),
  validUntil: text(20).describe('Last day on which it answers, an ISO date in UTC.'),
  text: text(12_000).describe('The answer, Markdown.'),
})
export type ApprovedDraft = z.infer<typeof ApprovedDraft>
export type ApprovedField = keyof ApprovedDraft

/** Without what no text may contain. */
const SentDraft = ApprovedDraft.transform((draft): ApprovedDraft => {
  const clean = (written: string) => written.replaceAll('\0', '').toWellFormed()
  const cleaned = Object.entries(draft).map(([field, value]) => [field, Array.isArray(value) ? value.map(clean) : clean(value)])
  return Object.fromEntries(cleaned) as ApprovedDraft
})

const FIELDS = Object.keys(ApprovedDraft.shape) as [ApprovedField, ...ApprovedField[]]

export const ApprovedProblem = z.object({
  field: z.enum(FIELDS),
  line: z.int().nullable().describe('Line in a list of wordings, from 1.'),
  message: z.string().describe('A sentence.'),
})
export type ApprovedProblem = z.infer<typeof ApprovedProblem>

export const ApprovedAnswerList = z.object({
  comparesMeaning: z.boolean().describe('Whether prompts that mean the same as a wording get the answer, too.'),
  managed: z.array(
    z.object({
      id: ApprovedAnswerId,
      question: z.string(),
      owner: z.string(),
      validUntil: z.string(),
      published: PublishedNumber,
      hasChanges: HasChanges,
      state: z.enum(['draft', 'answers', 'not-yet', 'expired', 'left-out', 'hidden']),
      hiddenBy: HiddenBy,
    }),
  ),
  files: z.array(
    z.object({
      id: AnyApprovedAnswerId,
      file: z.string(),
      question: z.string().nullable().describe('`null` if the file can’t be read.'),
      validUntil: z.string().nullable(),
      state: z.enum(['answers', 'not-yet', 'expired', 'left-out']),
      problems: z.array(z.string()),
    }),
  ),
})
export type ApprovedAnswerList = z.infer<typeof ApprovedAnswerList>
export type ApprovedState = ApprovedAnswerList['managed'][number]['state']

const ApprovedPublication = z.object({ ...PUBLICATION, content: ApprovedDraft })

export const ManagedApprovedAnswer = z.object({
  id: ApprovedAnswerId,
  file: z.string().describe('How answers and stops name it.'),
  hiddenBy: HiddenBy,
  state: ApprovedAnswerList.shape.managed.element.shape.state,
  draft: z.object({ ...DRAFT, content: ApprovedDraft, problems: z.array(ApprovedProblem) }),
  published: PublishedNumber,
  publications: z.array(ApprovedPublication).describe('Newest first.'),
})
export type ManagedApprovedAnswer = z.infer<typeof ManagedApprovedAnswer>

export const ApprovedAnswerView = z.object({
  managed: ManagedApprovedAnswer.nullable(),
  file: z
    .object({
      file: z.string(),
      content: ApprovedDraft.nullable().describe('`null` if the file can’t be read.'),
      problems: z.array(z.string()),
    })
    .nullable(),
  agents: z.array(z.string()).describe('Names of the agents that give it.'),
})
export type ApprovedAnswerView = z.infer<typeof ApprovedAnswerView>

export const NewApprovedAnswer = z.strictObject({ id: ApprovedAnswerId, content: SentDraft })
export const ApprovedDraftToSave = z.strictObject({ content: SentDraft, basedOn: Revision })
export const ApprovedDraftToCheck = z.strictObject({ content: SentDraft })
export const CheckedApprovedDraft = z.object({ problems: z.array(ApprovedProblem) })
export type CheckedApprovedDraft = z.infer<typeof CheckedApprovedDraft>
