import { loadModel } from '../../local-runtime/llama-library.ts'
import type { ChatLibrary, ChatWrapper, LlamaModel, ResponseChunk, Sequence } from './llama-library.ts'
import type { Answered, AnswerRequest, Delta } from './process-messages.ts'

/** The likeliest words: a small model varies between right and wrong. */
const SAMPLING = { temperature: 0, topP: 1, topK: 1 }
/** No reasoning: on a CPU it would take too long. */
const MAX_THOUGHT_TOKENS = 512
/** Most tool calls per step. */
const MAX_CALLS = 4
/** Part of the context reserved for the answer. */
const LEFT_FOR_ANSWER = 0.1

export interface LoadOptions {
  contextTokens: number
  threads: number
}

/** The model loaded in this process. Runs one answer at a time. */
export class LoadedModel {
  readonly #contextTokens: number
  readonly #library: ChatLibrary
  readonly #model: LlamaModel
  readonly #wrapper: ChatWrapper
  readonly #sequence: Sequence

  private constructor(library: ChatLibrary, model: LlamaModel, { contextSize, sequence }: { contextSize: number; sequence: Sequence }) {
    this.#library = library
    this.#model = model
    this.#sequence = sequence
    this.#contextTokens = contextSize
    // A model that was not trained to think answers much worse after the empty thoughts that discourage it.
    const thinks = /think/.test(model.fileInfo.metadata.tokenizer?.chat_template ?? '')
    this.#wrapper = library.resolveChatWrapper(model, thinks ? { customWrapperSettings: { qwen: { thoughts: 'discourage' } } } : {})
  }

  /** @param threads For the library and the context. More threads than idle cores slow each other down. */
  static async load(library: ChatLibrary, path: string, { contextTokens, threads }: LoadOptions): Promise<LoadedModel> {
    const model = await loadModel(library, path, threads)
    const context = await model.createContext({ contextSize: Math.min(contextTokens, model.trainContextSize), threads })
    return new LoadedModel(library, model, { contextSize: context.contextSize, sequence: context.getSequence() })
  }

  /** Ends early and normally when `signal` aborts. Messages before the newest prompt are dropped if they don't fit. */
  async answer(
    { history, functions, maxTokens }: AnswerRequest,
    signal: AbortSignal,
    onDelta: (delta: Delta) => void,
  ): Promise<Answered | 'too-long'> {
    const available = Object.keys(functions).length > 0 ? functions : undefined
    const newest = history.findLastIndex((item) => item.type === 'user')
    const needed = history.filter((item, index) => item.type === 'system' || index >= newest)
    if (this.#count(needed, available) > this.#contextTokens * (1 - LEFT_FOR_ANSWER)) return 'too-long'
    const before = this.#sequence.tokenMeter.getState()
    const chat = new this.#library.LlamaChat({ contextSequence: this.#sequence, chatWrapper: this.#wrapper })
    try {
      const { functionCalls = [], metadata } = await chat.generateResponse(history, {
        ...SAMPLING,
        functions: available,
        ...(available && { maxParallelFunctionCalls: MAX_CALLS }),
        maxTokens: Math.min(maxTokens, this.#contextTokens),
        budgets: { thoughtTokens: MAX_THOUGHT_TOKENS },
        signal,
        stopOnAbortSignal: true,
        onResponseChunk: (chunk) => deltasOf(chunk).forEach(onDelta),
      })
      const calls = functionCalls.map(({ functionName, params }) => ({ name: functionName, params: params ?? {} }))
      const read = Math.min(this.#count(history, available), this.#contextTokens)
      const { usedInputTokens, usedOutputTokens } = this.#sequence.tokenMeter.diff(before)
      const usage = { inputTokens: read, cachedTokens: Math.max(0, read - usedInputTokens), outputTokens: usedOutputTokens }
      return { reason: calls.length > 0 ? 'tool-calls' : metadata.stopReason === 'maxTokens' ? 'length' : 'stop', calls, usage }
    } finally {
      chat.dispose({ disposeSequence: false })
    }
  }

  #count(chatHistory: AnswerRequest['history'], availableFunctions: AnswerRequest['functions'] | undefined): number {
    return this.#wrapper.generateContextState({ chatHistory, availableFunctions }).contextText.tokenize(this.#model.tokenizer).length
  }
}

function deltasOf({ type, segmentType, text }: ResponseChunk): Delta[] {
  if (text === '') return []
  if (type === undefined) return [{ kind: 'text', text }]
  return segmentType === 'thought' ? [{ kind: 'reasoning', text }] : []
}
