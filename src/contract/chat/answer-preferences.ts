import { z } from 'zod'
import { MAX_VISITOR_INSTRUCTIONS_CHARACTERS } from '../size-limits.ts'

/** Choices that an agent's file can offer: standing instructions, simpler explanations, its slower and better model, and when the web is searched. */
export const VISITOR_CHOICES = ['instructions', 'simpler', 'thorough', 'web_search'] as const
export type VisitorChoice = (typeof VISITOR_CHOICES)[number]

/** The visitor's choices for one answer, as fields of a body. The texts are never stored. An agent that doesn't offer a choice ignores it. */
export const AnswerPreferences = z.object({
  instructions: z
    .string()
    .trim()
    .max(MAX_VISITOR_INSTRUCTIONS_CHARACTERS)
    .transform((text) => text.replaceAll('\0', '').toWellFormed())
    .optional()
    .describe('How the visitor likes answers written. Used for this answer and never stored.'),
  thorough: z.boolean().optional().describe('Whether the agent’s thorough model answers instead of its fast one.'),
  webSearch: z.literal(true).optional().describe('Allows the agent to search the web for this answer.'),
})
export type AnswerPreferences = z.infer<typeof AnswerPreferences>
