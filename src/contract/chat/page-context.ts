import { z } from 'zod'
import { CONTEXT_KEY, MAX_CONTEXT_LENGTH, MAX_CONTEXT_CHARACTERS } from '../size-limits.ts'

export const PageContext = z
  .record(z.string().regex(CONTEXT_KEY), z.string().max(MAX_CONTEXT_CHARACTERS))
  .refine((context) => JSON.stringify(context).length <= MAX_CONTEXT_LENGTH)
  .optional()
  .describe(
    'Description of the page on which the visitor is, by itself, such as `page` and `title`, at most 2,048 characters as JSON. It goes to the model as untrusted content, without texts that have personal data, and is not stored.',
  )
export type PageContext = z.infer<typeof PageContext>

export const AnswerAgain = z.strictObject({ context: PageContext })
export type AnswerAgain = z.infer<typeof AnswerAgain>
