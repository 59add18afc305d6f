import { z } from 'zod'
import { AnswerAgain } from './page-context.ts'
import type { ChatMessage } from './message.ts'
import { approvalRequestParts, toolNameOf } from './parts/tool.ts'

/** Maximum number of requests of one answer, more than a model can make. */
const MAX_REQUESTS = 100

export const ApprovalDecisions = AnswerAgain.extend({
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

/** Tool calls of an answer that wait for the visitor's decision, for API clients. */
export const AwaitedApproval = z.object({
  turn: z.string().describe('Send the decisions to `POST /api/v1/turns/{turn}/approve`.'),
  requests: z.array(
    z.object({
      id: z.string(),
      tool: z.string(),
      input: z.unknown().describe('Arguments of the tool call.'),
      expiresAt: z.string().nullable().describe('When it can no longer be decided.'),
      signature: z.string(),
    }),
  ),
})
export type AwaitedApproval = z.infer<typeof AwaitedApproval>

/** The calls of an answer that wait for a decision; `null` if none does. */
export function awaitedApproval(turn: string, answer: Pick<ChatMessage, 'parts'>): AwaitedApproval | null {
  const requests = approvalRequestParts(answer).map((part) => {
    const { id, signature = '', descriptor } = part.approval
    const { expiresAt } = (descriptor ?? {}) as { expiresAt?: unknown }
    return { id, tool: toolNameOf(part), input: part.input, expiresAt: typeof expiresAt === 'string' ? expiresAt : null, signature }
  })
  return requests.length > 0 ? { turn, requests } : null
}
