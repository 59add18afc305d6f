import type { ModelMessage } from 'ai'
import type { ChatMessage, ChatMessagePart } from '../../../contract/chat/message.ts'
import { estimateTokens } from './estimate-tokens.ts'

/** Most tokens of an image: providers scale large ones down. */
export const IMAGE_TOKENS = 2_000
/** Overhead of the chat format per message, and per call or result. */
const TOKENS_AROUND_MESSAGE = 4
const TOKENS_AROUND_CALL = 12

type ModelPart = Exclude<ModelMessage['content'], string>[number]

export function estimateMessages(messages: readonly ModelMessage[]): number {
  return messages.reduce((sum, message) => sum + estimateMessage(message), 0)
}

function estimateMessage({ content }: ModelMessage): number {
  const parts = typeof content === 'string' ? estimateTokens(content) : content.reduce((sum, part) => sum + estimatePart(part), 0)
  return TOKENS_AROUND_MESSAGE + parts
}

function estimatePart(part: ModelPart): number {
  switch (part.type) {
    case 'text':
    case 'reasoning':
      return estimateTokens(part.text)
    case 'file':
    case 'image':
      return IMAGE_TOKENS
    case 'tool-call':
      return TOKENS_AROUND_CALL + estimateTokens(part.toolName) + estimateJson(part.input)
    case 'tool-result':
      return TOKENS_AROUND_CALL + estimateOutput(part.output)
    default:
      return estimateJson(part)
  }
}

export function estimateOutput(output: Extract<ModelPart, { type: 'tool-result' }>['output']): number {
  switch (output.type) {
    case 'text':
    case 'error-text':
      return estimateTokens(output.value)
    case 'execution-denied':
      return estimateTokens(output.reason ?? '')
    case 'content':
      return output.value.reduce((sum, part) => sum + ('data' in part ? IMAGE_TOKENS : estimateJson(part)), 0)
    default:
      return estimateJson(output.value)
  }
}

export function estimateJson(value: unknown): number {
  return estimateTokens(JSON.stringify(value) ?? '')
}

/** Cache by id and length, under which stored messages don't change: long chats are measured once. */
const known = new Map<string, number>()
const MAX_KNOWN = 20_000
const STORED_ID = /^m_/

/** Estimates the tokens of a stored message with tool results and images. */
export function estimateChatMessage(message: ChatMessage): number {
  const texts = message.parts.map(textOfPart)
  const images = message.parts.filter(({ type }) => type === 'file').length
  const characters = texts.reduce((sum, text) => sum + text.length, 0)
  return TOKENS_AROUND_MESSAGE + images * IMAGE_TOKENS + textTokens(message.id, characters, texts)
}

function textTokens(id: string, characters: number, texts: readonly string[]): number {
  const key = STORED_ID.test(id) ? `${id}:${characters}` : null
  const before = key === null ? undefined : known.get(key)
  if (before !== undefined) return before
  const tokens = texts.reduce((sum, text) => sum + estimateTokens(text), 0)
  if (key === null) return tokens
  if (known.size >= MAX_KNOWN) known.clear()
  known.set(key, tokens)
  return tokens
}

function textOfPart(part: ChatMessagePart): string {
  if (part.type === 'text' || part.type === 'reasoning') return part.text
  if (!('toolCallId' in part)) return ''
  return `${JSON.stringify(part.input) ?? ''}${part.state === 'output-available' ? (JSON.stringify(part.output) ?? '') : ''}`
}
