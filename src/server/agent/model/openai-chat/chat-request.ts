import type { LanguageModelV4CallOptions, LanguageModelV4ToolChoice } from '@ai-sdk/provider'
import type { Json } from './chat-event.ts'
import { chatMessages } from './chat-messages.ts'

/** `openai` is OpenAI's own endpoint, which has moved on; `compatible` is what everybody else understands. */
export type ChatDialect = 'openai' | 'compatible'

/** OpenAI refuses function tools together with reasoning for these models, on this endpoint. */
const NO_REASONING_WITH_TOOLS = /^gpt-5\.([6-9]|\d\d)(-|$)/

/** The body of a request for a streamed chat completion. What is undefined is not sent. */
export function chatRequest(model: string, dialect: ChatDialect, options: LanguageModelV4CallOptions): Json {
  const { prompt, maxOutputTokens, tools = [], toolChoice } = options
  return {
    model,
    [dialect === 'openai' ? 'max_completion_tokens' : 'max_tokens']: maxOutputTokens,
    temperature: options.temperature,
    top_p: options.topP,
    frequency_penalty: options.frequencyPenalty,
    presence_penalty: options.presencePenalty,
    stop: options.stopSequences,
    seed: options.seed,
    reasoning_effort: dialect === 'openai' && tools.length > 0 && NO_REASONING_WITH_TOOLS.test(model) ? 'none' : undefined,
    messages: chatMessages(prompt),
    // Servers refuse an empty list, and a choice without one.
    ...(tools.length > 0 && { tools: tools.flatMap(functionTool), tool_choice: toolChoice && chosen(toolChoice) }),
    stream: true,
    stream_options: { include_usage: true },
  }
}

function functionTool(tool: NonNullable<LanguageModelV4CallOptions['tools']>[number]): Json[] {
  if (tool.type !== 'function') return []
  const { name, description, inputSchema: parameters, strict } = tool
  return [{ type: 'function', function: { name, description, parameters, strict } }]
}

function chosen(choice: LanguageModelV4ToolChoice): string | Json {
  return choice.type === 'tool' ? { type: 'function', function: { name: choice.toolName } } : choice.type
}
