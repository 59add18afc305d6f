import type { ChatChunk } from '../message.ts'
import { blockQuote, singleLine, type StoredPartDefinition } from './stored-part.ts'
import { approvalResponseChunk, type ToolPart, toolNameOf } from './tool.ts'

/** States that have no meaning outside the chat: an export cannot ask for approval. */
const APPROVAL_STATES: ReadonlySet<ToolPart['state']> = new Set(['approval-requested', 'approval-responded', 'output-denied'])

export const storedTool: StoredPartDefinition<ToolPart> = {
  toChunks: (part) => {
    const call = { toolCallId: part.toolCallId, toolName: toolNameOf(part), ...callOptions(part.type === 'dynamic-tool', part.title) }
    if (part.state === 'input-streaming') return [{ type: 'tool-input-start', ...call }]
    // Deprecated in the SDK's type, but its reader still sets it.
    const { rawInput } = part as { rawInput?: unknown }
    if (part.state === 'output-error' && rawInput !== undefined)
      return [{ type: 'tool-input-error', ...call, input: rawInput, errorText: part.errorText }]
    return [{ type: 'tool-input-available', ...call, input: part.input }, ...approvalChunks(part), ...outcomeChunks(part)]
  },
  exported: ['type', 'toolName', 'toolCallId', 'title', 'state', 'input', 'output', 'errorText'],
  toExport: (part) => {
    if (part.state === 'input-streaming') return null
    return APPROVAL_STATES.has(part.state) ? ({ ...part, state: 'input-available' } as ToolPart) : part
  },
  toMarkdown: (part) => {
    const result = part.state === 'output-error' ? `failed: ${part.errorText ?? ''}` : JSON.stringify(part.output ?? null)
    return [blockQuote(`Tool ${singleLine(toolNameOf(part))}: ${JSON.stringify(part.input ?? null)} → ${result}`)]
  },
}

function callOptions(isDynamic: boolean, title: string | undefined): { dynamic?: boolean; title?: string } {
  return { ...(isDynamic && { dynamic: true }), ...(title !== undefined && { title }) }
}

function approvalChunks({ toolCallId, approval }: ToolPart): ChatChunk[] {
  if (!approval) return []
  const { id: approvalId, approved, descriptor: approvalDescriptor, signature } = approval
  const signed = signature === undefined ? {} : { signature }
  const request: ChatChunk = { type: 'tool-approval-request', approvalId, toolCallId, approvalDescriptor, ...signed }
  return approved === undefined ? [request] : [request, approvalResponseChunk(approvalId, approved)]
}

function outcomeChunks(part: ToolPart): ChatChunk[] {
  const { toolCallId } = part
  if (part.state === 'output-available') return [{ type: 'tool-output-available', toolCallId, output: part.output }]
  if (part.state === 'output-error') return [{ type: 'tool-output-error', toolCallId, errorText: part.errorText }]
  if (part.state === 'output-denied') return [{ type: 'tool-output-denied', toolCallId }]
  return []
}
