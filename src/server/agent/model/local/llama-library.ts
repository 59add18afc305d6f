import { pathToFileURL } from 'node:url'
import type { FunctionForm, HistoryItem } from './process-messages.ts'

/** What is used of `node-llama-cpp` 3.21.1, which is installed in a folder of its own and so is nothing that could be imported by name. */
export interface LlamaLibrary {
  getLlama(options: {
    gpu: false
    build: 'never'
    skipDownload: true
    progressLogs: false
    logLevel: 'error'
    maxThreads: number
  }): Promise<{
    loadModel(options: { modelPath: string }): Promise<LlamaModel>
  }>
  resolveChatWrapper(model: LlamaModel, options: { customWrapperSettings: { qwen: { thoughts: 'discourage' } } }): ChatWrapper
  LlamaChat: new (options: { contextSequence: Sequence; chatWrapper: ChatWrapper }) => LlamaChat
}

export interface LlamaModel {
  readonly tokenizer: unknown
  readonly trainContextSize: number
  createContext(options: { contextSize: number; threads: number }): Promise<{ readonly contextSize: number; getSequence(): Sequence }>
}

export interface Sequence {
  readonly tokenMeter: { getState(): TokenCounts; diff(before: TokenCounts): TokenCounts }
}

/** Of the input only what was not there from the answer before. */
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

/** `file` is the module that the package begins with. */
export async function importLibrary(file: string): Promise<LlamaLibrary> {
  return (await import(pathToFileURL(file).href)) as LlamaLibrary
}
