import { PROBLEMS } from '../../contract/errors.ts'
import type { ChatChunk, ChatMessage, ChatMessagePart, MessageMetadata } from '../../contract/message.ts'
import { type ToolPart, toolNameOf } from '../../contract/tool-part.ts'

/** The whole stream of an ended turn, made from its stored answer: read from its start it builds the same message. */
export function chunksOfAnswer(answer: ChatMessage): ChatChunk[] {
  const { status, code, ...metadata } = answer.metadata ?? {}
  return [
    { type: 'start', messageId: answer.id, messageMetadata: metadata },
    ...answer.parts.flatMap((part, index) => chunksOfPart(part, String(index))),
    ...endChunks({ status: status ?? 'done', ...(code && { code }) }),
  ]
}

/** The chunks that end a stream: the status for our readers, and what every reader of the protocol understands. */
export function endChunks(end: Required<Pick<MessageMetadata, 'status'>> & Pick<MessageMetadata, 'code'>): ChatChunk[] {
  if (end.status === 'done') return [{ type: 'finish', finishReason: end.code ? 'length' : 'stop', messageMetadata: end }]
  const metadata: ChatChunk = { type: 'message-metadata', messageMetadata: end }
  if (end.status === 'stopped') return [metadata, { type: 'abort', reason: 'stopped' }]
  return [metadata, { type: 'error', errorText: PROBLEMS[end.code ?? 'internal'].sentence }]
}

function chunksOfPart(part: ChatMessagePart, index: string): ChatChunk[] {
  const id = 'id' in part && part.id !== undefined ? part.id : index
  switch (part.type) {
    case 'step-start':
      return [{ type: 'start-step' }]
    case 'text':
    case 'reasoning': {
      const providerMetadata = part.providerMetadata && { providerMetadata: part.providerMetadata }
      return [
        { type: `${part.type}-start`, id, ...providerMetadata },
        { type: `${part.type}-delta`, id, delta: part.text },
        { type: `${part.type}-end`, id },
      ]
    }
    case 'source-url':
    case 'source-document':
    case 'file':
    case 'custom':
      return [part]
    default:
      return 'toolCallId' in part ? chunksOfTool(part) : []
  }
}

function chunksOfTool(part: ToolPart): ChatChunk[] {
  const { toolCallId } = part
  const toolName = toolNameOf(part)
  const dynamic = part.type === 'dynamic-tool' ? { dynamic: true } : {}
  const title = part.title === undefined ? {} : { title: part.title }
  const input: ChatChunk = { type: 'tool-input-available', toolCallId, toolName, input: part.input, ...dynamic, ...title }
  const asked = chunksOfApproval(part)
  if (part.state === 'output-available') return [input, ...asked, { type: 'tool-output-available', toolCallId, output: part.output }]
  if (part.state === 'output-error') return [input, ...asked, { type: 'tool-output-error', toolCallId, errorText: part.errorText }]
  if (part.state === 'output-denied') return [input, ...asked, { type: 'tool-output-denied', toolCallId }]
  return [input, ...asked]
}

function chunksOfApproval({ toolCallId, approval }: ToolPart): ChatChunk[] {
  if (!approval) return []
  const { id: approvalId, approved, descriptor: approvalDescriptor, signature } = approval
  const signed = signature === undefined ? {} : { signature }
  const asked: ChatChunk = { type: 'tool-approval-request', approvalId, toolCallId, approvalDescriptor, ...signed }
  return approved === undefined ? [asked] : [asked, { type: 'tool-approval-response', approvalId, approved }]
}
