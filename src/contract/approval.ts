import { z } from 'zod'

/** Maximum number of requests of one answer, more than a model can make. */
const MAX_REQUESTS = 100

/** A visitor’s decisions on all approval requests of an answer. */
export const ApprovalDecisions = z.strictObject({
  decisions: z
    .array(
      z.strictObject({
        id: z.string().min(1).max(64).describe('`approval.id` of the tool part.'),
        approved: z.boolean(),
        signature: z.string().min(1).max(200).describe('`approval.signature` of the same part.'),
      }),
    )
    .min(1)
    .max(MAX_REQUESTS)
    .describe('One decision for each approval request.'),
})
export type ApprovalDecisions = z.infer<typeof ApprovalDecisions>
export type ApprovalDecision = ApprovalDecisions['decisions'][number]
