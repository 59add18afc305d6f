import { convertToModelMessages, type ModelMessage, type ToolSet } from 'ai'
import { type ChatMessage, type ChatMessagePart, textOf } from '../../contract/message.ts'
import { CONTINUE_MESSAGE } from './continuation.ts'
import { estimateTokens } from './token-meter.ts'

export interface HistoryOptions {
  /** The newest messages up to about this many tokens; the newest prompt and what answers it always. */
  maxTokens: number
  /** Whether the answer that ends the messages is to be gone on with. */
  continues: boolean
}

/**
 * The conversation as a model reads it: the newest messages up to `maxTokens` (the newest always), beginning with the visitor's.
 * Of an answer it sees the text and the tool calls that succeeded; answers that failed or say nothing are left out,
 * unless another goes on with them. Messages that then follow each other from one side become one, because many models want the roles to alternate.
 */
export async function modelMessages(
  messages: readonly ChatMessage[],
  tools: ToolSet,
  { maxTokens, continues }: HistoryOptions,
): Promise<ModelMessage[]> {
  const seen = messages.flatMap((message, index) => {
    const isGoneOnWith = messages[index + 1]?.role === 'assistant' || (continues && index === messages.length - 1)
    return visibleToModel(message, isGoneOnWith, tools)
  })
  const history = await convertToModelMessages(joined(newest(seen, maxTokens)), { tools })
  return continues ? [...history, CONTINUE_MESSAGE] : history
}

function visibleToModel(message: ChatMessage, isGoneOnWith: boolean, tools: ToolSet): ChatMessage[] {
  const isLeftOut = message.role === 'assistant' && message.metadata?.status === 'failed' && !isGoneOnWith
  if (isLeftOut || (message.role === 'assistant' && textOf(message).trim() === '')) return []
  const parts = message.parts.flatMap((part) => visiblePart(part, tools))
  return parts.length === 0 ? [] : [{ ...message, parts }]
}

function visiblePart(part: ChatMessagePart, tools: ToolSet): ChatMessagePart[] {
  if (part.type === 'text') return part.text === '' ? [] : [{ type: 'text', text: part.text }]
  if (part.type === 'step-start') return [part]
  if (!('toolCallId' in part) || part.state !== 'output-available') return []
  const name = part.type === 'dynamic-tool' ? part.toolName : part.type.replace(/^tool-/, '')
  return Object.hasOwn(tools, name) ? [part] : []
}

/** The last prompt and what answers it are kept whatever their size. */
function newest(messages: ChatMessage[], maxTokens: number): ChatMessage[] {
  const lastPrompt = Math.max(
    0,
    messages.findLastIndex((message) => message.role === 'user'),
  )
  let first = messages.length
  let tokens = 0
  while (first > 0) {
    tokens += estimateTokens(JSON.stringify(messages[first - 1]?.parts))
    if (tokens > maxTokens && first <= lastPrompt) break
    first -= 1
  }
  const chosen = messages.slice(first)
  return chosen.slice(
    Math.max(
      0,
      chosen.findIndex((message) => message.role === 'user'),
    ),
  )
}

function joined(messages: ChatMessage[]): ChatMessage[] {
  const result: ChatMessage[] = []
  for (const message of messages) {
    const last = result.at(-1)
    if (last?.role === message.role) result[result.length - 1] = { ...last, parts: joinedParts(last.parts, message.parts) }
    else result.push(message)
  }
  return result
}

/** A text that was gone on with is one text, not two steps. */
function joinedParts(earlier: ChatMessagePart[], later: ChatMessagePart[]): ChatMessagePart[] {
  const goesOn = earlier.at(-1)?.type === 'text' && later[0]?.type === 'step-start'
  return [...earlier, ...(goesOn ? later.slice(1) : later)]
}
