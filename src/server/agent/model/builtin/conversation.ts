import type { LanguageModelV4Prompt, LanguageModelV4ToolResultPart } from '@ai-sdk/provider'
import { isContinueMessage } from '../../continuation.ts'

/** How far back a follow-up such as "and in miles?" looks for what it follows. */
const MAX_EARLIER_PROMPTS = 6

/** What the built-in assistant reads of a prompt. */
export interface Conversation {
  /** What the visitor just wrote. */
  prompt: string
  /** What the visitor wrote before, newest first. */
  earlier: string[]
  /** Results of the tools called for this answer, oldest first. */
  results: LanguageModelV4ToolResultPart[]
  /** What an answer to the prompt has said already, before it broke off. */
  said: string
}

export function readConversation(prompt: LanguageModelV4Prompt): Conversation {
  const lastUser = prompt.findLastIndex((message) => message.role === 'user')
  const continued = prompt[lastUser]
  const goesOn = continued !== undefined && isContinueMessage(continued)
  const asked = goesOn ? prompt.slice(0, lastUser) : prompt
  const texts = asked.flatMap((message) => (message.role === 'user' ? [textsOf(message.content)] : [])).flat()
  const results = prompt.slice(lastUser + 1).flatMap((message) => (message.role === 'tool' ? message.content : []))
  const brokenOff = goesOn ? asked.slice(asked.findLastIndex((message) => message.role === 'user') + 1) : []
  const said = brokenOff.flatMap((message) => (message.role === 'assistant' ? textsOf(message.content) : [])).join('')
  const [newest = '', ...earlier] = texts.toReversed()
  return {
    prompt: newest,
    earlier: earlier.slice(0, MAX_EARLIER_PROMPTS),
    results: results.filter((part) => part.type === 'tool-result'),
    said,
  }
}

function textsOf(content: { type: string; text?: string }[]): string[] {
  return content.flatMap((part) => (part.type === 'text' && part.text !== undefined ? [part.text] : []))
}
