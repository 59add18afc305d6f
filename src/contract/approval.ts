import { z } from 'zod'

/** Requests of one answer; a model cannot write as many. */
const MAX_REQUESTS = 100

/** What a visitor says to the requests with which an answer ended: to each, as it was shown. */
export const ApprovalDecisions = z.strictObject({
  decisions: z
    .array(
      z.strictObject({
        id: z.string().min(1).max(64).describe('`approval.id` of the tool’s part.'),
        approved: z.boolean(),
        signature: z.string().min(1).max(200).describe('`approval.signature` of the same part.'),
      }),
    )
    .min(1)
    .max(MAX_REQUESTS)
    .describe('One for each tool that asks.'),
})
export type ApprovalDecisions = z.infer<typeof ApprovalDecisions>
export type ApprovalDecision = ApprovalDecisions['decisions'][number]
