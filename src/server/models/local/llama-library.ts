import type { LlamaLibrary } from '../../local-runtime/llama-library.ts'
import type { FunctionForm, HistoryItem } from './process-messages.ts'

/** The part of `node-llama-cpp` that chats use. */
export interface ChatLibrary extends LlamaLibrary<LlamaModel> {
  resolveChatWrapper(model: LlamaModel, options: { customWrapperSettings?: { qwen: { thoughts: 'discourage' } } }): ChatWrapper
  LlamaChat: new (options: { contextSequence: Sequence; chatWrapper: ChatWrapper }) => LlamaChat
}

export interface LlamaModel {
  readonly tokenizer: unknown
  readonly trainContextSize: number
  readonly fileInfo: { readonly metadata: { readonly tokenizer?: { readonly chat_template?: string } } }
  createContext(options: { contextSize: number; threads: number }): Promise<{ readonly contextSize: number; getSequence(): Sequence }>
}

export interface Sequence {
  readonly tokenMeter: { getState(): TokenCounts; diff(before: TokenCounts): TokenCounts }
}

/** Input tokens that were not cached from the previous answer. */
interface TokenCounts {
  usedInputTokens: number
  usedOutputTokens: number
}

export interface ChatWrapper {
  generateContextState(options: { chatHistory: readonly HistoryItem[]; availableFunctions: Record<string, FunctionForm> | undefined }): {
    contextText: { tokenize(tokenizer: unknown): unknown[] }
  }
}

export interface ResponseChunk {
  type: 'segment' | undefined
  segmentType: string | undefined
  text: string
}

export interface LlamaChat {
  generateResponse(
    history: readonly HistoryItem[],
    options: {
      functions: Record<string, FunctionForm> | undefined
      maxParallelFunctionCalls?: number
      maxTokens: number
      temperature: number
      topP: number
      topK: number
      budgets: { thoughtTokens: number }
      signal: AbortSignal
      stopOnAbortSignal: true
      onResponseChunk: (chunk: ResponseChunk) => void
    },
  ): Promise<{
    functionCalls?: { functionName: string; params: unknown }[]
    metadata: { stopReason: 'eogToken' | 'stopGenerationTrigger' | 'functionCalls' | 'maxTokens' | 'abort' | 'customStopTrigger' }
  }>
  dispose(options: { disposeSequence: boolean }): void
}
