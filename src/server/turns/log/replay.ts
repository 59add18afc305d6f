import { PROBLEMS } from '../../../contract/errors.ts'
import type { ChatChunk, ChatMessage, MessageMetadata } from '../../../contract/chat/message.ts'
import { chunksOfPart } from '../../../contract/chat/parts/stored-parts.ts'

/** The stream of an ended turn, derived from its stored answer. Rebuilds the same message. */
export function chunksOfAnswer(answer: ChatMessage): ChatChunk[] {
  const { status, code, state, ...metadata } = answer.metadata ?? {}
  return [
    { type: 'start', messageId: answer.id, messageMetadata: metadata },
    ...answer.parts.flatMap((part, index) => chunksOfPart(part, String(index))),
    ...endChunks({ status: status ?? 'done', ...(code && { code }), ...(state && { state }) }),
  ]
}

/** The chunks that end a stream: status and state as metadata for our clients, and the protocol's final chunk. */
export function endChunks(end: Required<Pick<MessageMetadata, 'status'>> & Pick<MessageMetadata, 'code' | 'state'>): ChatChunk[] {
  if (end.status === 'done') return [{ type: 'finish', finishReason: end.code ? 'length' : 'stop', messageMetadata: end }]
  const metadata: ChatChunk = { type: 'message-metadata', messageMetadata: end }
  if (end.status === 'stopped') return [metadata, { type: 'abort', reason: 'stopped' }]
  return [metadata, { type: 'error', errorText: PROBLEMS[end.code ?? 'internal'].title }]
}
