import type { LanguageModelV4Prompt, LanguageModelV4ToolResultPart } from '@ai-sdk/provider'

/** How far back a follow-up such as "and in miles?" looks for what it follows. */
const MAX_EARLIER_PROMPTS = 6

/** What the built-in assistant reads of a prompt. */
export interface Conversation {
  /** What the visitor just wrote. */
  prompt: string
  /** What the visitor wrote before, newest first. */
  earlier: string[]
  /** Results of the tools called for this prompt, oldest first. */
  results: LanguageModelV4ToolResultPart[]
}

export function readConversation(prompt: LanguageModelV4Prompt): Conversation {
  const texts = prompt.flatMap((message) =>
    message.role === 'user' ? message.content.flatMap((part) => (part.type === 'text' ? [part.text] : [])) : [],
  )
  const lastUser = prompt.findLastIndex((message) => message.role === 'user')
  const results = prompt.slice(lastUser + 1).flatMap((message) => (message.role === 'tool' ? message.content : []))
  const [newest = '', ...earlier] = texts.toReversed()
  return { prompt: newest, earlier: earlier.slice(0, MAX_EARLIER_PROMPTS), results: results.filter((part) => part.type === 'tool-result') }
}
