import type { LanguageModelV4CallOptions, LanguageModelV4ToolChoice } from '@ai-sdk/provider'
import type { Json } from './chat-event.ts'
import { chatMessages } from './chat-messages.ts'
import type { ReasoningEffort } from '../reasoning-effort.ts'

export interface ChatModel {
  model: string
  /** Whether OpenAI serves the model, directly or through Azure. */
  isOpenAi?: boolean | undefined
  reasoningEffort?: ReasoningEffort | undefined
}

/** OpenAI's models since the first reasoning model reject `max_tokens`, behind gateways too; other servers support only that. */
const NEWER_OPENAI_MODEL = /^(?:openai\/)?(?:gpt-[5-9]|o\d)(?![\w]*-oss)/

/** OpenAI rejects function tools together with reasoning for these models on this endpoint. */
const NO_REASONING_WITH_TOOLS = /^gpt-5\.([6-9]|\d\d)(-|$)/

/** Creates the body of a streamed chat completion request. `undefined` fields are not sent. */
export function chatRequest({ model, isOpenAi = false, reasoningEffort }: ChatModel, options: LanguageModelV4CallOptions): Json {
  const { prompt, maxOutputTokens, tools = [], toolChoice } = options
  const mayNotReason = isOpenAi && tools.length > 0 && NO_REASONING_WITH_TOOLS.test(model)
  return {
    model,
    [isOpenAi || NEWER_OPENAI_MODEL.test(model) ? 'max_completion_tokens' : 'max_tokens']: maxOutputTokens,
    temperature: options.temperature,
    top_p: options.topP,
    frequency_penalty: options.frequencyPenalty,
    presence_penalty: options.presencePenalty,
    stop: options.stopSequences,
    seed: options.seed,
    reasoning_effort: reasoningEffort ?? (mayNotReason ? 'none' : undefined),
    messages: chatMessages(prompt),
    // Servers reject an empty list, and a choice without a list.
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
