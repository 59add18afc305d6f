import type { LanguageModelV4Prompt } from '@ai-sdk/provider'
import type { SearchKnowledgeResult } from '../../knowledge/retrieval/search.ts'
import { isContinueMessage } from './continuation.ts'

export interface Conversation {
  prompt: string
  /** The visitor's messages before it, newest first. */
  earlier: string[]
  /** Results of the tools called for this answer; `null` for a call that failed. */
  results: (SearchKnowledgeResult | CalculatorResult | null)[]
  /** The beginning of an interrupted answer to the prompt. */
  said: string
}

export type CalculatorResult = { result: number } | { error: string }

/** Reads a conversation whose last message of the visitor awaits its answer. */
export function readConversation(messages: LanguageModelV4Prompt): Conversation {
  const last = messages.findLastIndex(({ role }) => role === 'user')
  const continued = messages[last]
  const isContinued = continued !== undefined && isContinueMessage(continued)
  const asked = isContinued ? messages.slice(0, last) : messages
  const after = asked.slice(asked.findLastIndex(({ role }) => role === 'user') + 1)
  const answered = after.flatMap(({ content }) => (typeof content === 'string' ? [] : textsOf(content)))
  const prompts = asked.flatMap((message) => (message.role === 'user' ? (textsOf(message.content).at(-1) ?? '') : []))
  const results = messages.slice(last + 1).flatMap((message) => (message.role === 'tool' ? message.content : []))
  return {
    prompt: prompts.at(-1) ?? '',
    earlier: prompts.slice(0, -1).toReversed(),
    results: results.flatMap((part) => {
      if (part.type !== 'tool-result') return []
      return [part.output.type === 'json' ? (part.output.value as unknown as SearchKnowledgeResult | CalculatorResult) : null]
    }),
    said: isContinued ? answered.join('') : '',
  }
}

function textsOf(content: readonly { type: string; text?: string }[]): string[] {
  return content.flatMap((part) => (part.type === 'text' && part.text !== undefined ? [part.text] : []))
}
