import type { ChatChunk, ChatMessage, ChatMessagePart } from '../message.ts'
import type { PartList, Reducers } from './part-list.ts'

/** A tool call of an answer: a known tool (`tool-{name}`) or a dynamic one. */
export type ToolPart = Extract<ChatMessagePart, { toolCallId: string }>
export type ApprovalRequestPart = Extract<ToolPart, { state: 'approval-requested' }>

/** `type` of the chunk with the visitor's decision. A data part, because clients of the AI SDK 6 reject `tool-approval-response`. */
const APPROVAL_RESPONSE_TYPE = 'data-approval-response'

export function approvalResponseChunk(approvalId: string, approved: boolean): Extract<ChatChunk, { type: `data-${string}` }> {
  return { type: APPROVAL_RESPONSE_TYPE, data: { approvalId, approved }, transient: true }
}

const isTool = (part: ChatMessagePart): part is ToolPart => 'toolCallId' in part

export const toolReducers: Reducers = {
  'tool-input-start': (parts, chunk) => setCall(parts, chunk, { state: 'input-streaming', input: undefined }),
  'tool-input-available': (parts, chunk) => setCall(parts, chunk, { state: 'input-available', input: chunk.input }),
  'tool-input-error': (parts, chunk) => {
    const rawInput = chunk.input === undefined ? {} : { rawInput: chunk.input }
    setCall(parts, chunk, { state: 'output-error', input: undefined, ...rawInput, errorText: chunk.errorText })
  },
  'tool-output-available': (parts, { toolCallId, output }) => changeCall(parts, toolCallId, { state: 'output-available', output }),
  'tool-output-error': (parts, { toolCallId, errorText }) => changeCall(parts, toolCallId, { state: 'output-error', errorText }),
  'tool-output-denied': (parts, { toolCallId }) => changeCall(parts, toolCallId, { state: 'output-denied' }),
  'tool-approval-request': (parts, { toolCallId, approvalId: id, approvalDescriptor: descriptor, signature }) =>
    changeCall(parts, toolCallId, { state: 'approval-requested', approval: { id, descriptor, signature } }),
  [APPROVAL_RESPONSE_TYPE]: (parts, { data }) => {
    const { approvalId, approved } = data as { approvalId: string; approved: boolean }
    const call = parts.all.filter(isTool).find(({ approval }) => approval?.id === approvalId)
    if (call) changeCall(parts, call.toolCallId, { state: 'approval-responded', approval: { ...call.approval, approved } })
  },
}

export function toolNameOf({ type, toolName }: { type: string; toolName?: string }): string {
  return toolName ?? type.slice('tool-'.length)
}

export function approvalRequestParts({ parts }: Pick<ChatMessage, 'parts'>): ApprovalRequestPart[] {
  return parts.filter((part): part is ApprovalRequestPart => isTool(part) && part.state === 'approval-requested')
}

interface Call {
  toolCallId: string
  toolName: string
  dynamic?: boolean
  title?: string
}

/** Appends a tool call, or replaces the one with its id. */
function setCall(parts: PartList, { toolCallId, toolName, dynamic, title }: Call, content: object): void {
  const type = dynamic ? { type: 'dynamic-tool', toolName } : { type: `tool-${toolName}` }
  const part = { ...type, toolCallId, ...content, ...(title !== undefined && { title }) } as ToolPart
  const index = indexOfCall(parts, toolCallId)
  if (index < 0) parts.push(part)
  else parts.all = parts.all.with(index, part)
}

function changeCall(parts: PartList, toolCallId: string, change: object): void {
  parts.change(indexOfCall(parts, toolCallId), () => change)
}

function indexOfCall({ all }: PartList, toolCallId: string): number {
  return all.findLastIndex((part) => isTool(part) && part.toolCallId === toolCallId)
}
