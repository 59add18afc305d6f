import type { LanguageModelV4, LanguageModelV4CallOptions, LanguageModelV4StreamPart, LanguageModelV4ToolChoice } from '@ai-sdk/provider'
import { ChatAnswer } from './chat-answer.ts'
import type { FailureOf, Json } from './chat-event.ts'
import { chatMessages } from './chat-messages.ts'
import type { ReasoningEffort } from '../reasoning-effort.ts'
import type { ModelLimits } from '../model-limits.ts'
import { reportedFailure } from '../requests/model-error.ts'
import type { SendToModel } from '../requests/model-request.ts'
import { streamingModel } from '../streaming-model.ts'
import { EventStreamReader, streamOfEvents } from '../streams/event-stream-reader.ts'

export interface OpenAiEndpoint {
  /** Base URL of `/chat/completions` and `/responses`. */
  baseUrl: string
  apiKey: string | undefined
  /** Header of the key. Defaults to `Authorization: Bearer`. */
  keyHeader?: 'api-key'
  model: string
  /** Whether OpenAI serves the model, directly or through Azure; detected by the address when unset. */
  isOpenAi?: boolean | undefined
  reasoningEffort?: ReasoningEffort | undefined
  /** The address check of the egress guard; none for what the environment sets. */
  network?: 'public' | 'private' | undefined
}

/** OpenAI's models since the first reasoning model reject `max_tokens`, behind gateways too; other servers support only that. */
const NEWER_OPENAI_MODEL = /^(?:openai\/)?(?:gpt-[5-9]|o\d)(?![\w]*-oss)/

/** OpenAI rejects function tools together with reasoning for these models on this endpoint. */
const NO_REASONING_WITH_TOOLS = /^gpt-5\.([6-9]|\d\d)(-|$)/

/** Creates the body of a streamed chat completion request. `undefined` fields are not sent. */
export function chatRequest(
  { model, isOpenAi = false, reasoningEffort }: Pick<OpenAiEndpoint, 'model' | 'isOpenAi' | 'reasoningEffort'>,
  options: LanguageModelV4CallOptions,
): Json {
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

interface OpenAiChatOptions extends OpenAiEndpoint {
  limits: ModelLimits
  send: SendToModel
}

/** A model behind OpenAI's chat completions protocol. Rejects as `send` does; later failures become `error` parts with an `AgentFailure`. */
export function openAiChatModel(options: OpenAiChatOptions): LanguageModelV4 {
  const { baseUrl, model, isOpenAi, reasoningEffort, limits, send } = options
  const url = new URL(`${baseUrl.replace(/\/+$/, '')}/chat/completions`)
  const headers = { 'content-type': 'application/json', accept: 'text/event-stream', 'user-agent': 'parley', ...keyHeader(options) }
  return streamingModel({ provider: 'openai-chat', modelId: model, supportedUrls: {} }, async (call) => {
    const { abortSignal: signal, tools = [] } = call
    const body = JSON.stringify(chatRequest({ model, isOpenAi, reasoningEffort }, call))
    const { response, sentAt } = await send({ url, method: 'POST', headers, body, signal })
    const failureOf: FailureOf = (reported) => reportedFailure(reported, { body, headers })
    const offered = tools.map(({ name }) => name)
    return { stream: chatStream(new EventStreamReader(response, { limits, sentAt, signal }), failureOf, offered) }
  })
}

/** Streams the parts of a chat completion. A failure becomes an `error` part after all output: an erroring stream discards its queue. */
function chatStream(reader: EventStreamReader, failureOf: FailureOf, offered: readonly string[]) {
  return streamOfEvents<LanguageModelV4StreamPart>(
    reader,
    (controller) => {
      const answer = new ChatAnswer((part) => controller.enqueue(part), failureOf, offered)
      answer.begin()
      return {
        event: ({ data }) => answer.accept(data),
        end(isDone) {
          answer.end(isDone)
          controller.close()
        },
        fail(error) {
          controller.enqueue({ type: 'error', error })
          controller.close()
        },
      }
    },
    (part) => ('delta' in part ? part.delta.length : 1),
  )
}

function keyHeader({ apiKey, keyHeader: name }: OpenAiChatOptions): Record<string, string> {
  if (apiKey === undefined) return {}
  return name ? { [name]: apiKey } : { authorization: `Bearer ${apiKey}` }
}
