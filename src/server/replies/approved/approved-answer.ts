import { z } from 'zod'
import { PAGE_LANGUAGES } from '../../../contract/page-languages.ts'

const MAX_QUESTION_CHARACTERS = 300
const MAX_PARAPHRASES = 50
const MAX_SOURCE_CHARACTERS = 300

const line = (maxCharacters: number) =>
  z.string().trim().min(1, 'must not be empty').max(maxCharacters, `must have at most ${maxCharacters} characters`)
const question = line(MAX_QUESTION_CHARACTERS)
const day = z.iso.date('must be a date such as 2026-01-31')
const sourceTitle = line(MAX_SOURCE_CHARACTERS)
const paraphrases = z.array(question).max(MAX_PARAPHRASES, `must have at most ${MAX_PARAPHRASES} entries`).default([])

/** The front matter of an approved answer. */
export const ApprovedHeader = z
  .strictObject({
    question,
    languages: z.array(z.enum(PAGE_LANGUAGES)).min(1, 'must name at least one language').max(PAGE_LANGUAGES.length),
    owner: z
      .string('must name who answers for it')
      .trim()
      .min(1, 'must name who answers for it')
      .max(200, 'must have at most 200 characters'),
    source: z.union(
      [
        sourceTitle.transform((title) => ({ title, url: null })),
        z
          .strictObject({
            title: sourceTitle,
            url: z
              .url({ protocol: /^https?$/ })
              .max(2_000)
              .nullish(),
          })
          .transform(({ title, url }) => ({ title, url: url ?? null })),
      ],
      'must be a title, or have a title and an http or https url',
    ),
    validFrom: day,
    validUntil: day,
    matches: paraphrases,
    mustNotMatch: paraphrases,
  })
  .refine(({ validFrom, validUntil }) => validFrom <= validUntil, { path: ['validUntil'], message: 'is before validFrom' })

/** Where an approved answer comes from. `url` is http or https. */
export type ApprovedSource = z.output<typeof ApprovedHeader>['source']

/** An answer that staff have written and approved. `validFrom` and `validUntil`: first and last day on which it answers, in UTC. */
export type ApprovedAnswer = Omit<z.output<typeof ApprovedHeader>, 'question'> & {
  /** Path below the knowledge folder. */
  file: string
  /** The question, then its paraphrases. */
  matches: string[]
  /** Markdown. */
  text: string
}
