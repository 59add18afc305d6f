import { z } from 'zod'
import { ANSWER_STATES } from '../../chat/answer-state.ts'
import { EarlierMessage, Prompt } from '../../chat/chat.ts'
import { MAX_TRIAL_MESSAGES } from '../../size-limits.ts'

export const TrialPrompt = z.strictObject({
  prompt: Prompt,
  history: z.array(EarlierMessage).max(MAX_TRIAL_MESSAGES).default([]).describe('Earlier messages, oldest first.'),
})
export type TrialPrompt = z.input<typeof TrialPrompt>

export const LivePrompt = TrialPrompt.extend({ agent: z.string().max(100).describe('Id of a live agent.') })

export const TrialId = z.string().regex(/^[0-9a-f]{16}$/)
/** Questions that staff tried in the last 30 days and that got no answer, newest first. */
export const FailedTrials = z.object({
  trials: z.array(
    z.object({
      id: TrialId,
      agent: z.string(),
      prompt: z.string(),
      state: z.enum(ANSWER_STATES),
      by: z.string().describe('Name of who tried it.'),
      at: z.iso.datetime(),
    }),
  ),
})
export type FailedTrials = z.infer<typeof FailedTrials>
