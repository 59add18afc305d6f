import type { JSONObject, LanguageModelV4FinishReason, LanguageModelV4StreamPart, LanguageModelV4Usage } from '@ai-sdk/provider'
import { AgentFailure } from '../agent-failure.ts'
import { type ChatEvent, type FailureOf, type Json, readChatEvent } from './chat-event.ts'
import { OutputBlocks } from '../streams/output-blocks.ts'
import { ToolCalls } from './tool-calls.ts'

/** Converts the events of a chat completion to the SDK's stream parts. */
export class ChatAnswer {
  readonly #write: (part: LanguageModelV4StreamPart) => void
  readonly #toolCalls: ToolCalls
  readonly #blocks: OutputBlocks
  readonly #failureOf: FailureOf
  #hasBegun = false
  #hasOutput = false
  #finishReason: string | undefined
  #usage: Json | undefined

  /** @param offered Names of the tools in the request. */
  constructor(write: (part: LanguageModelV4StreamPart) => void, failureOf: FailureOf, offered: readonly string[]) {
    this.#write = write
    this.#failureOf = failureOf
    this.#toolCalls = new ToolCalls(write, offered)
    this.#blocks = new OutputBlocks(write)
  }

  begin(): void {
    this.#write({ type: 'stream-start', warnings: [] })
  }

  /** Accepts the data of one event. Throws `AgentFailure` if it is invalid or reports an error. */
  accept(data: string): void {
    const event = readChatEvent(data, this.#failureOf)
    this.#hasBegun = true
    if (!event.isWhole || !this.#hasOutput) this.#writeOutput(event)
    this.#finishReason = event.finishReason ?? this.#finishReason
    this.#usage = event.usage ?? this.#usage
  }

  #writeOutput({ reasoning, text, toolCalls }: ChatEvent): void {
    this.#hasOutput ||= reasoning !== '' || text !== '' || toolCalls.length > 0
    if (reasoning !== '') this.#blocks.writeDelta('reasoning', reasoning)
    if (text !== '') this.#blocks.writeDelta('text', text)
    if (toolCalls.length > 0) this.#blocks.close()
    for (const delta of toolCalls) this.#toolCalls.accept(delta)
  }

  /** Ends the answer. `isDone`: the stream ended with `[DONE]`. Throws `AgentFailure` without that and without a finish reason. */
  end(isDone: boolean): void {
    this.#blocks.close()
    this.#toolCalls.end()
    const reason = this.#finishReason ?? (isDone && this.#hasBegun ? (this.#toolCalls.isEmpty ? 'stop' : 'tool_calls') : undefined)
    if (reason === undefined) {
      // A stream without any event was no answer; otherwise the answer was cut off.
      const code = this.#hasBegun ? 'model_interrupted' : 'model_failed'
      throw new AgentFailure(code, "The model's stream ended without a finish reason.")
    }
    this.#write({ type: 'finish', finishReason: finishReasonOf(reason), usage: usageOf(this.#usage) })
  }
}

/** Providers' words for why an answer ends. */
const FINISH_REASONS = {
  stop: ['stop', 'eos', 'end_turn'],
  length: ['length', 'max_tokens', 'model_length', 'model_context_window_exceeded'],
  'content-filter': ['content_filter', 'sensitive'],
  error: ['error', 'insufficient_system_resource'],
  'tool-calls': ['tool_calls', 'function_call'],
} as const

function finishReasonOf(raw: string): LanguageModelV4FinishReason {
  const reasons = Object.keys(FINISH_REASONS) as (keyof typeof FINISH_REASONS)[]
  return { unified: reasons.find((reason) => (FINISH_REASONS[reason] as readonly string[]).includes(raw)) ?? 'other', raw }
}

/** Counts that the provider left out are `undefined`. */
function usageOf(usage: Json | undefined): LanguageModelV4Usage {
  const input = countIn(usage, 'prompt_tokens')
  const output = countIn(usage, 'completion_tokens')
  const cached = countIn(usage?.['prompt_tokens_details'], 'cached_tokens')
  const reasoning = countIn(usage?.['completion_tokens_details'], 'reasoning_tokens')
  return {
    inputTokens: { total: input, noCache: difference(input, cached), cacheRead: cached, cacheWrite: undefined },
    outputTokens: { total: output, text: difference(output, reasoning), reasoning },
    ...(usage && { raw: usage as JSONObject }),
  }
}

function countIn(counts: unknown, name: string): number | undefined {
  const count = (counts as Json | null | undefined)?.[name]
  return typeof count === 'number' ? count : undefined
}

function difference(total: number | undefined, part: number | undefined): number | undefined {
  return total === undefined ? undefined : Math.max(0, total - (part ?? 0))
}
