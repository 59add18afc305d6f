import { z } from 'zod'

/** Visitors who have to share a word, and networks they have to be on, for staff to see it. */
export const MIN_VISITORS = 5

export const TopicId = z.string().regex(/^[0-9a-f]{16}$/)

/** How many of a topic's prompts, or in words where the number, or that of the rest, is of fewer than five visitors or networks. */
const Count = z
  .union([z.int(), z.enum(['few', 'most'])])
  .describe('`few`: of one to four visitors. `most`: all but those of one to four visitors.')
export type TopicCount = z.infer<typeof Count>

/** A subject of a day's prompts without an answer. All words are those of at least five visitors on five networks. */
export const Topic = z.object({
  id: TopicId,
  phrases: z.array(z.string()).describe('Words that stand side by side.'),
  words: z.array(z.string()).describe('Words; of one that ends in `…`, the beginning that its forms share.'),
  visitors: z.int(),
  prompts: z.int(),
  notCovered: Count,
  ratedDown: Count,
  languages: z.array(z.string()).describe('Languages in which at least five visitors asked.'),
  day: z.iso.date().describe('The last day, in UTC, on which it was a topic; words and numbers are those of this day.'),
  days: z.int().describe('Days on which it was a topic.'),
})
export type Topic = z.infer<typeof Topic>

export const TopicList = z.object({
  topics: z.array(Topic).describe('Newest day first, then most visitors.'),
  days: z.int().describe('For how many days topics are listed.'),
  outcome: z
    .enum(['topics', 'not_enough', 'one_network'])
    .describe('Whether the last day that is over has topics; `one_network` if all its visitors were on the same network.'),
})
export type TopicList = z.infer<typeof TopicList>
