import { z } from 'zod'
import { CONTEXT_KEY, MAX_CONTEXT_LENGTH, MAX_CONTEXT_CHARACTERS } from '../size-limits.ts'

/** Choices that an agent's file can offer: simpler explanations, and when the web is searched. */
export const VISITOR_CHOICES = ['simpler', 'web_search'] as const
export type VisitorChoice = (typeof VISITOR_CHOICES)[number]

const PageContext = z
  .record(z.string().regex(CONTEXT_KEY), z.string().max(MAX_CONTEXT_CHARACTERS))
  .refine((context) => JSON.stringify(context).length <= MAX_CONTEXT_LENGTH)
  .optional()
  .describe(
    'Description of the page on which the visitor is, by itself, such as `page` and `title`, at most 2,048 characters as JSON. It goes to the model as untrusted content, without texts that have personal data, and is not stored.',
  )

export const AnswerAgain = z.strictObject({ context: PageContext })

/** The visitor's choices for one answer, as fields of a body. An agent that doesn't offer a choice ignores it. */
export const AnswerPreferences = z.object({
  webSearch: z.literal(true).optional().describe('Allows the agent to search the web for this answer.'),
  context: PageContext,
})
export type AnswerPreferences = z.infer<typeof AnswerPreferences>
