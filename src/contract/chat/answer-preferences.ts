import { z } from 'zod'

/** Choices that an agent's file can offer: simpler explanations, and when the web is searched. */
export const VISITOR_CHOICES = ['simpler', 'web_search'] as const
export type VisitorChoice = (typeof VISITOR_CHOICES)[number]

/** The visitor's choices for one answer, as fields of a body. An agent that doesn't offer a choice ignores it. */
export const AnswerPreferences = z.object({
  webSearch: z.literal(true).optional().describe('Allows the agent to search the web for this answer.'),
})
export type AnswerPreferences = z.infer<typeof AnswerPreferences>
