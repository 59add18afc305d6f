import { convertToModelMessages, type ModelMessage, type ToolSet } from 'ai'
import type { ChatMessage, ChatMessagePart } from '../../../contract/chat/message.ts'
import { textOf } from '../../../contract/chat/message-text.ts'
import { imageInWords } from '../attachments/with-attachments.ts'
import { CONTINUE_MESSAGE } from '../../models/builtin/continuation.ts'
import { SEARCH } from '../filters/numbered-sources.ts'
import { estimateChatMessage } from '../../models/tokens/estimate-messages.ts'
import { UNANSWERED } from './unanswered-prompts.ts'

export interface HistoryOptions {
  /** Estimated tokens of all messages. The newest prompt and its answer are always included. */
  maxTokens: number
  /** Estimated tokens of the messages before the newest prompt. */
  maxEarlierTokens: number
  continues: boolean
}

/** A conversation for a model, with its estimated tokens. */
export interface ModelHistory {
  messages: ModelMessage[]
  tokens: number
}

/**
 * Converts a conversation for a model: the newest messages up to `maxTokens`, starting with one of the visitor's. Of answers, the
 * model gets the text and, as far as they fit, successful tool calls. Failed or empty answers are left out unless a later one
 * continues them. Consecutive messages of one role are merged, because many models require alternating roles.
 */
export async function modelMessages(
  messages: readonly ChatMessage[],
  tools: ToolSet,
  { maxTokens, maxEarlierTokens, continues }: HistoryOptions,
): Promise<ModelHistory> {
  const seen = messages.flatMap((message, index) => {
    const isContinued = messages[index + 1]?.role === 'assistant' || (continues && index === messages.length - 1)
    return visibleToModel(message, isContinued, tools)
  })
  const chosen = newest(seen, maxTokens, maxEarlierTokens)
  const converted = await convertToModelMessages(joined(chosen), { tools })
  const tokens = chosen.reduce((sum, message) => sum + estimateChatMessage(message), continues ? CONTINUE_TOKENS : 0)
  return { messages: continues ? [...converted, CONTINUE_MESSAGE] : converted, tokens }
}

const CONTINUE_TOKENS = 50

function visibleToModel(message: ChatMessage, isContinued: boolean, tools: ToolSet): ChatMessage[] {
  const isLeftOut = message.role === 'assistant' && message.metadata?.status === 'failed' && !isContinued
  if (isLeftOut) return []
  const parts = message.parts.flatMap((part) => visiblePart(part, tools, isContinued))
  const hasNoText = textOf(message).trim() === '' && !(isContinued && parts.some((part) => 'toolCallId' in part))
  if (message.role === 'assistant' && hasNoText) return []
  return parts.length === 0 ? [] : [{ ...message, parts }]
}

function visiblePart(part: ChatMessagePart, tools: ToolSet, isContinued: boolean): ChatMessagePart[] {
  if (part.type === 'text') return part.text === '' ? [] : [{ type: 'text', text: part.text }]
  // Only images still have bytes here; other attachments have become text or were dropped.
  if (part.type === 'step-start' || (part.type === 'file' && part.url.startsWith('data:'))) return [part]
  if (!('toolCallId' in part) || part.state !== 'output-available') return []
  const name = part.type === 'dynamic-tool' ? part.toolName : part.type.replace(/^tool-/, '')
  // Passages come with each prompt.
  return Object.hasOwn(tools, name) && (name !== SEARCH || isContinued) ? [part] : []
}

/**
 * The newest messages with what precedes the newest prompt cut to `maxTokens`. Where it is longer, so many of its oldest messages are
 * left out that half of `maxTokens` remains: the beginning then stays the same for several turns, and providers can cache it. Pictures
 * of earlier prompts and tool results of the last answer are kept as far as they fit.
 */
function newest(messages: readonly ChatMessage[], maxTokens: number, maxEarlierTokens: number): ChatMessage[] {
  const lastPrompt = Math.max(
    0,
    messages.findLastIndex((message) => message.role === 'user'),
  )
  const current = messages.slice(lastPrompt)
  const room = Math.min(maxEarlierTokens, maxTokens - current.reduce((sum, message) => sum + estimateChatMessage(message), 0))
  const earlier = messages.slice(0, lastPrompt).map(withoutToolResults)
  const tokens = earlier.map(estimateChatMessage)
  let [from, left] = [0, 0]
  for (const [index, more] of tokens.entries()) {
    left += more
    if (left > room) for (; from <= index && left > room / 2; from += 1) left -= tokens[from] ?? 0
  }
  const kept = earlier.slice(from)
  for (let index = lastPrompt - 1; index >= from; index -= 1) {
    const message = messages[index]
    if (!message || (message.role === 'assistant' && index < lastPrompt - 1)) continue
    left += estimateChatMessage(message) - (tokens[index] ?? 0)
    if (left > room) break
    kept[index - from] = message
  }
  const first = kept.findIndex((message) => message.role === 'user')
  return [...(first < 0 ? [] : kept.slice(first)), ...current]
}

/** The message without tool calls, its images named in text. */
function withoutToolResults(message: ChatMessage): ChatMessage {
  const parts = message.parts.flatMap((part) => (part.type === 'file' ? imageInWords(part) : part.type === 'text' ? part : []))
  return { ...message, parts }
}

function joined(messages: ChatMessage[]): ChatMessage[] {
  const result: ChatMessage[] = []
  for (const message of messages) {
    const last = result.at(-1)
    if (last?.role === message.role) result[result.length - 1] = { ...last, parts: joinedParts(asUnanswered(last), message.parts) }
    else result.push(message)
  }
  return result
}

function asUnanswered({ role, parts }: ChatMessage): ChatMessagePart[] {
  return role === 'user' ? parts.map((part) => (part.type === 'text' ? { ...part, providerMetadata: UNANSWERED } : part)) : parts
}

/** A continued text is one text, not two steps. */
function joinedParts(earlier: ChatMessagePart[], later: ChatMessagePart[]): ChatMessagePart[] {
  const isContinuation = earlier.at(-1)?.type === 'text' && later[0]?.type === 'step-start'
  return [...earlier, ...(isContinuation ? later.slice(1) : later)]
}
