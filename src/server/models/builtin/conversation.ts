import type { LanguageModelV4Prompt, LanguageModelV4ToolResultPart } from '@ai-sdk/provider'
import { isContinueMessage } from './continuation.ts'

/** How many earlier prompts a follow-up such as "and in miles?" may go back. */
const MAX_EARLIER_EXCHANGES = 6

/** An earlier prompt and what was answered. */
export interface Exchange {
  prompt: string
  answer: string
}

/** The parts of a prompt that the built-in assistant reads. */
export interface Conversation {
  /** Latest message of the visitor. */
  prompt: string
  /** Oldest first. */
  earlier: Exchange[]
  /** Results of the tools called for this answer, oldest first. */
  results: LanguageModelV4ToolResultPart[]
  /** The beginning of an interrupted answer to the prompt. */
  said: string
}

/** Reads the exchanges of a conversation, the last of which awaits its answer. */
export function readConversation(prompt: LanguageModelV4Prompt): Conversation {
  const lastUser = prompt.findLastIndex((message) => message.role === 'user')
  const continued = prompt[lastUser]
  const isContinued = continued !== undefined && isContinueMessage(continued)
  const asked = isContinued ? prompt.slice(0, lastUser) : prompt
  const exchanges: Exchange[] = []
  for (const message of asked) {
    if (message.role === 'user') exchanges.push({ prompt: textsOf(message.content).at(-1) ?? '', answer: '' })
    const last = exchanges.at(-1)
    if (message.role === 'assistant' && last) last.answer += textsOf(message.content).join('')
  }
  const newest = exchanges.at(-1)
  const results = prompt.slice(lastUser + 1).flatMap((message) => (message.role === 'tool' ? message.content : []))
  return {
    prompt: newest?.prompt ?? '',
    earlier: exchanges.slice(0, -1).slice(-MAX_EARLIER_EXCHANGES),
    results: results.filter((part) => part.type === 'tool-result'),
    said: isContinued ? (newest?.answer ?? '') : '',
  }
}

function textsOf(content: { type: string; text?: string }[]): string[] {
  return content.flatMap((part) => (part.type === 'text' && part.text !== undefined ? [part.text] : []))
}
