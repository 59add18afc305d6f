import type { TypedToolCall, ToolSet } from 'ai'

export interface PendingToolCall {
  toolCallId: string
  toolName: string
  input: unknown
}

/** An approval request: its id, its expiry and a signature over the call. */
export interface ApprovalRequest {
  id: string
  /** ISO 8601. */
  expiresAt: string
  signature: string
}

export interface DecidedCall extends PendingToolCall {
  approval: ApprovalRequest
  approved: boolean
  dynamic: boolean
  title?: string | undefined
}

export type ApprovalPart =
  | { type: 'approval-request'; toolCallId: string; approval: ApprovalRequest }
  | { type: 'approval-response'; approval: ApprovalRequest; approved: boolean }
  | { type: 'tool-denied'; toolCallId: string }

/** The decided call in the form that the model made it. */
export function callOf({ toolCallId, toolName, input, dynamic, title }: DecidedCall): TypedToolCall<ToolSet> & { title?: string } {
  return {
    type: 'tool-call',
    toolCallId,
    toolName,
    input,
    ...(dynamic && { dynamic: true }),
    ...(title !== undefined && { title }),
  } as never
}
