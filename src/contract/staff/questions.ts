import { z } from 'zod'

/** Visitors who have to share a word for staff to see it. */
export const MIN_VISITORS = 5

export const TopicId = z.string().regex(/^[0-9a-f]{16}$/)

const Few = z.int().nullable().describe('`null` for one to four.')

/** A subject of prompts without an answer. All words are those of at least five visitors. */
export const Topic = z.object({
  id: TopicId,
  phrases: z.array(z.string()).describe('Words that stand side by side.'),
  words: z.array(z.string()).describe('Words; of one that ends in `…`, the beginning that its forms share.'),
  visitors: z.int(),
  prompts: z.int(),
  lastWeek: Few.describe('Of these, in the last seven days. `null` for one to four.'),
  notCovered: Few,
  ratedDown: Few,
  rephrased: Few,
  languages: z.array(z.string()).describe('Languages in which at least five visitors asked.'),
})
export type Topic = z.infer<typeof Topic>

export const TopicList = z.object({
  topics: z.array(Topic).describe('Most visitors first.'),
  days: z.int().describe('How far back prompts are read.'),
  isComplete: z.boolean().describe('Whether all prompts of these days were read; otherwise, the newest ones.'),
})
export type TopicList = z.infer<typeof TopicList>

export const TopicDismissed = z.object({ dismissed: z.literal(true) })
