import { countTokens } from 'gpt-tokenizer/encoding/o200k_base'
import type { ChatRequest } from './scripted-model.ts'

/** Token count of a text for OpenAI's models. */
export function tokensOf(text: string): number {
  return countTokens(text, { disallowedSpecial: new Set() })
}

/** Token count of a request: messages, tool calls and tool definitions. */
export function promptTokensOf({ messages, tools = [] }: ChatRequest): number {
  const ofMessages = messages.map(({ content, tool_calls: calls }) => {
    const text = typeof content === 'string' ? content : JSON.stringify(content ?? '')
    return 4 + tokensOf(text) + (calls === undefined ? 0 : tokensOf(JSON.stringify(calls)))
  })
  const ofTools = tools.map((tool) => tokensOf(JSON.stringify(tool)))
  return [...ofMessages, ...ofTools].reduce((sum, tokens) => sum + tokens, 0)
}
