import { convertToModelMessages, type ModelMessage, type ToolSet } from 'ai'
import { type ChatMessage, type ChatMessagePart, textOf } from '../../contract/message.ts'
import { pictureInWords } from './attachments/with-attachments.ts'
import { CONTINUE_MESSAGE } from './continuation.ts'
import { summaryText } from './summary.ts'
import { estimateContent } from './token-meter.ts'

export interface HistoryOptions {
  /** The newest messages up to about this many tokens; the newest prompt and what answers it always. */
  maxTokens: number
  /** Of those before the newest prompt, about so many. */
  maxEarlierTokens: number
  /** What was said before the messages, summed up. */
  summary?: string | null
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
  { maxTokens, maxEarlierTokens, summary = null, continues }: HistoryOptions,
): Promise<ModelMessage[]> {
  const seen = messages.flatMap((message, index) => {
    const isGoneOnWith = messages[index + 1]?.role === 'assistant' || (continues && index === messages.length - 1)
    return visibleToModel(message, isGoneOnWith, tools)
  })
  const chosen = joined(newest(seen, maxTokens, maxEarlierTokens))
  const history = await convertToModelMessages(summary === null ? chosen : withSummary(chosen, summary), { tools })
  return continues ? [...history, CONTINUE_MESSAGE] : history
}

/** A conversation begins with the visitor, so what was before goes into their first message. */
function withSummary([first, ...others]: ChatMessage[], summary: string): ChatMessage[] {
  if (!first) return []
  const [prompt, ...parts] = first.parts
  const before = summaryText(summary)
  // One text, because not every model takes several.
  const all = prompt?.type === 'text' ? [{ ...prompt, text: `${before}\n\n${prompt.text}` }, ...parts] : first.parts
  return [{ ...first, parts: all }, ...others]
}

function visibleToModel(message: ChatMessage, isGoneOnWith: boolean, tools: ToolSet): ChatMessage[] {
  const isLeftOut = message.role === 'assistant' && message.metadata?.status === 'failed' && !isGoneOnWith
  if (isLeftOut) return []
  const parts = message.parts.flatMap((part) => visiblePart(part, tools))
  const saysNothing = textOf(message).trim() === '' && !(isGoneOnWith && parts.some((part) => 'toolCallId' in part))
  if (message.role === 'assistant' && saysNothing) return []
  return parts.length === 0 ? [] : [{ ...message, parts }]
}

function visiblePart(part: ChatMessagePart, tools: ToolSet): ChatMessagePart[] {
  if (part.type === 'text') return part.text === '' ? [] : [{ type: 'text', text: part.text }]
  // A picture, with its bytes; what else was attached is text by now, or not for this model.
  if (part.type === 'step-start' || (part.type === 'file' && part.url.startsWith('data:'))) return [part]
  if (!('toolCallId' in part) || part.state !== 'output-available') return []
  const name = part.type === 'dynamic-tool' ? part.toolName : part.type.replace(/^tool-/, '')
  return Object.hasOwn(tools, name) ? [part] : []
}

/** The last prompt and what answers it are kept whatever their size. Of an earlier answer that does not fit, its text may. */
function newest(messages: ChatMessage[], maxTokens: number, maxEarlierTokens: number): ChatMessage[] {
  const lastPrompt = Math.max(
    0,
    messages.findLastIndex((message) => message.role === 'user'),
  )
  const chosen = messages.slice(lastPrompt)
  let room = Math.min(maxEarlierTokens, maxTokens - chosen.reduce((sum, message) => sum + sizeOf(message), 0))
  for (const message of messages.slice(0, lastPrompt).toReversed()) {
    const fitting = [message, inWords(message)].find((version) => sizeOf(version) <= room)
    if (!fitting) break
    room -= sizeOf(fitting)
    chosen.unshift(fitting)
  }
  return chosen.slice(
    Math.max(
      0,
      chosen.findIndex((message) => message.role === 'user'),
    ),
  )
}

/** The message without what tools were asked and returned, its pictures named. */
function inWords(message: ChatMessage): ChatMessage {
  const parts = message.parts.flatMap((part) => (part.type === 'file' ? pictureInWords(part) : part.type === 'text' ? part : []))
  return { ...message, parts }
}

function sizeOf(message: ChatMessage): number {
  return estimateContent(message.parts)
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
