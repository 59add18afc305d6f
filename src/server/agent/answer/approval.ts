import type { TypedToolCall, ToolSet } from 'ai'

/** A tool call that the visitor is asked about. */
export interface PendingToolCall {
  toolCallId: string
  toolName: string
  input: unknown
}

/** How the visitor is asked: the request's id, until when it can be answered, and what proves later that we have asked just this. */
export interface ApprovalRequest {
  id: string
  /** ISO 8601. */
  expiresAt: string
  signature: string
}

/** What the visitor has said to a call that was asked about. */
export interface DecidedCall extends PendingToolCall {
  approval: ApprovalRequest
  approved: boolean
  /** Whether the tool is one of others, whose type pages do not know. */
  dynamic: boolean
  title?: string | undefined
}

/** Parts of an answer by which its tools ask the visitor, and hear what was said. */
export type ApprovalPart =
  | { type: 'approval-request'; toolCallId: string; approval: ApprovalRequest }
  | { type: 'approval-response'; approval: ApprovalRequest; approved: boolean }
  | { type: 'tool-denied'; toolCallId: string }

/** A decided call as the model made it. */
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
