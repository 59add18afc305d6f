import { z } from 'zod'
import { HELD_KINDS, MAX_PAGE_DECISIONS } from './held-page-kinds.ts'

const MAX_ADDRESS_CHARACTERS = 1_500

const address = z.string().min(1).max(MAX_ADDRESS_CHARACTERS)
const textHash = z.string().regex(/^[0-9a-f]{64}$/)

/** A page of a website about which staff have to decide. */
export const HeldPageView = z.object({
  address: z.string(),
  kind: z.enum(HELD_KINDS).describe('Change by the website. `shorter`: it has lost more than half of its text.'),
  reason: z.string().nullable(),
  before: z.string().nullable().describe('Hash of the text that answers; `null` without one.'),
  after: z.string().nullable().describe('Hash of the text that waits; `null` if the page is gone.'),
  mayKeep: z.boolean().describe('Whether the earlier page can be kept: not if the site asks not to be read or quoted.'),
})
export type HeldPageView = z.infer<typeof HeldPageView>

export const HeldPages = z.object({
  pages: z.array(HeldPageView).describe('By address.'),
  total: z.int().describe('How many wait; the list has the first ones.'),
})
export type HeldPages = z.infer<typeof HeldPages>

export const HeldPageQuery = z.strictObject({ before: textHash.optional(), after: textHash.optional() })

/** The texts of a held page, with its headings as in Markdown. */
export const HeldPageTexts = z.object({
  before: z.string().nullable(),
  after: z.string().nullable(),
  isCut: z.boolean().describe('Whether the texts are longer than what is compared.'),
})
export type HeldPageTexts = z.infer<typeof HeldPageTexts>

const PageDecision = z.strictObject({
  address,
  decision: z.enum(['accept', 'keep']),
  before: textHash.nullable().describe('As it was read with the list.'),
  after: textHash.nullable().describe('As it was read with the list.'),
})
export const PageDecisions = z.strictObject({
  decisions: z
    .array(PageDecision)
    .min(1)
    .max(MAX_PAGE_DECISIONS)
    .refine((decisions) => new Set(decisions.map((one) => one.address)).size === decisions.length, 'names a page twice')
    .describe('All of them apply, or none.'),
})
export type PageDecisions = z.infer<typeof PageDecisions>
