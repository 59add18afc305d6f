import { z } from 'zod'
import { EarlierMessage, Prompt } from '../../chat/chat.ts'
import { MAX_TRIAL_MESSAGES } from '../../size-limits.ts'

export const TrialPrompt = z.strictObject({
  version: z.union([z.literal('draft'), z.int().min(1)]).describe('The draft as it is saved, or the number of a publication.'),
  prompt: Prompt,
  history: z.array(EarlierMessage).max(MAX_TRIAL_MESSAGES).default([]).describe('Earlier messages, oldest first.'),
})
export type TrialPrompt = z.input<typeof TrialPrompt>
