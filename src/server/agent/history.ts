import { convertToModelMessages, type ModelMessage, type ToolSet } from 'ai'
import { type ChatMessage, type ChatMessagePart, textOf } from '../../contract/message.ts'

/**
 * The conversation as a model reads it: the newest messages up to `maxCharacters` (the newest always), beginning with the visitor's.
 * Of an answer it sees the text and the tool calls that succeeded; answers that failed or say nothing are left out,
 * and prompts that then follow each other become parts of one message, because many models want the roles to alternate.
 */
export async function modelMessages(messages: readonly ChatMessage[], tools: ToolSet, maxCharacters: number): Promise<ModelMessage[]> {
  const seen = messages.flatMap((message) => visibleToModel(message, tools))
  return convertToModelMessages(joinPrompts(newest(seen, maxCharacters)), { tools })
}

function visibleToModel(message: ChatMessage, tools: ToolSet): ChatMessage[] {
  if (message.role === 'assistant' && (message.metadata?.status === 'failed' || textOf(message).trim() === '')) return []
  const parts = message.parts.flatMap((part) => visiblePart(part, tools))
  return parts.length === 0 ? [] : [{ ...message, parts }]
}

function visiblePart(part: ChatMessagePart, tools: ToolSet): ChatMessagePart[] {
  if (part.type === 'text') return part.text === '' ? [] : [{ type: 'text', text: part.text }]
  if (part.type === 'step-start') return [part]
  if (!('toolCallId' in part) || part.state !== 'output-available') return []
  return Object.hasOwn(tools, part.type.replace(/^tool-/, '')) ? [part] : []
}

function newest(messages: ChatMessage[], maxCharacters: number): ChatMessage[] {
  let first = messages.length
  let characters = 0
  while (first > 0) {
    characters += JSON.stringify(messages[first - 1]?.parts).length
    if (characters > maxCharacters && first < messages.length) break
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

function joinPrompts(messages: ChatMessage[]): ChatMessage[] {
  const joined: ChatMessage[] = []
  for (const message of messages) {
    const last = joined.at(-1)
    if (last?.role === 'user' && message.role === 'user') joined[joined.length - 1] = { ...last, parts: [...last.parts, ...message.parts] }
    else joined.push(message)
  }
  return joined
}
