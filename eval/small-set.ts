import { z } from 'zod'

const Question = z.strictObject({
  id: z.string(),
  question: z.string(),
  /** Expressions that a right answer matches, all of them. */
  right: z.array(z.string()).optional(),
  page: z.string().optional(),
  covered: z.literal(false).optional(),
  /** The question before in the same chat. */
  after: z.string().optional(),
})
export type Question = z.infer<typeof Question>

/** Questions of another author about the pages of a Debian package, for a small model. */
export const SmallSet = z.strictObject({
  package: z.string(),
  version: z.string(),
  folder: z.string(),
  /** Expression of the pages that are read. */
  pages: z.string(),
  use: z.enum(['tuning', 'held-out']),
  questions: z.array(Question),
})
export type SmallSet = z.infer<typeof SmallSet>
