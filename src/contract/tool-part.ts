import type { ChatMessage, ChatMessagePart } from './message.ts'

/** A tool that an answer has used, or asks to use. */
export type ToolPart = Extract<ChatMessagePart, { toolCallId: string }>
/** A tool that waits for the visitor to say whether it may run. */
export type ApprovalRequestPart = Extract<ToolPart, { state: 'approval-requested' }>

export function toolNameOf(part: ToolPart): string {
  return part.type === 'dynamic-tool' ? part.toolName : part.type.slice('tool-'.length)
}

/** The tools of an answer that wait for the visitor. */
export function approvalRequestParts({ parts }: Pick<ChatMessage, 'parts'>): ApprovalRequestPart[] {
  return parts.filter((part): part is ApprovalRequestPart => 'toolCallId' in part && part.state === 'approval-requested')
}
