import { randomUUID } from 'node:crypto'
import type {
  LanguageModelV4,
  LanguageModelV4CallOptions,
  LanguageModelV4Prompt,
  LanguageModelV4StreamPart,
  LanguageModelV4ToolResultOutput,
  LanguageModelV4Usage,
} from '@ai-sdk/provider'
import { failureBehind } from '../agent-failure.ts'
import { streamingModel } from '../streaming-model.ts'
import { OutputBlocks } from '../streams/output-blocks.ts'
import { functionForms, withoutNulls } from './function-forms.ts'
import type { LocalRuntime } from './local-runtime.ts'
import type { Answered, Delta, HistoryItem } from './process-messages.ts'
import { onAbort } from '../../../async/abort.ts'

type ModelItem = Extract<HistoryItem, { type: 'model' }>
type Call = Exclude<ModelItem['response'][number], string>

/** Converts a conversation for the library. It ends with the model's message, even if that is empty. */
export function chatHistory(prompt: LanguageModelV4Prompt): HistoryItem[] {
  const history: HistoryItem[] = []
  const calls = new Map<string, Call>()
  const modelItem = (): ModelItem => {
    const last = history.at(-1)
    if (last?.type === 'model') return last
    const item: ModelItem = { type: 'model', response: [] }
    history.push(item)
    return item
  }
  for (const message of prompt) {
    if (message.role === 'system') history.push({ type: 'system', text: message.content })
    else if (message.role === 'user') history.push({ type: 'user', text: textOf(message.content) })
    else
      for (const part of message.content) {
        if (part.type === 'text') modelItem().response.push(part.text)
        if (part.type === 'tool-call') {
          // Replaced by the result, if any.
          const call: Call = { type: 'functionCall', name: part.toolName, params: part.input, result: null }
          calls.set(part.toolCallId, call)
          modelItem().response.push(call)
        }
        if (part.type === 'tool-result') {
          const call = calls.get(part.toolCallId)
          if (call) call.result = resultOf(part.output)
        }
      }
  }
  modelItem()
  return history
}

/** Attachments in text are separate parts; the local model doesn't support images. */
function textOf(content: Extract<LanguageModelV4Prompt[number], { role: 'user' }>['content']): string {
  return content.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('\n\n')
}

function resultOf(output: LanguageModelV4ToolResultOutput): unknown {
  switch (output.type) {
    case 'text':
    case 'json':
    case 'content':
      return output.value
    case 'error-text':
    case 'error-json':
      return { error: output.value }
    case 'execution-denied':
      return { error: 'The visitor did not allow this.' }
  }
}

const DEFAULT_MAX_TOKENS = 2_000

type Write = (part: LanguageModelV4StreamPart) => void
type Runtime = Pick<LocalRuntime, 'answer'>

/** The local model for the SDK. Failures become `error` parts with an `AgentFailure`, after all output. */
export function localModel(modelId: string, runtime: Runtime): LanguageModelV4 {
  return streamingModel({ provider: 'local', modelId, supportedUrls: {} }, async (options) => {
    const cancelling = new AbortController()
    const signal = AbortSignal.any([cancelling.signal, ...(options.abortSignal ? [options.abortSignal] : [])])
    const stream = new ReadableStream<LanguageModelV4StreamPart>({
      start(controller) {
        onAbort(signal, (reason) => controller.error(reason))
        const write: Write = (part) => {
          if (!signal.aborted) controller.enqueue(part)
        }
        answer(runtime, options, signal, write)
          .catch((error: unknown) => write({ type: 'error', error: failureBehind(error) }))
          .then(
            () => signal.aborted || controller.close(),
            (error: unknown) => controller.error(error),
          )
      },
      cancel: () => cancelling.abort(new DOMException('The stream of the answer was cancelled.', 'AbortError')),
    })
    return { stream }
  })
}

async function answer(
  runtime: Runtime,
  { prompt, tools, toolChoice, maxOutputTokens = DEFAULT_MAX_TOKENS }: LanguageModelV4CallOptions,
  signal: AbortSignal,
  write: Write,
): Promise<void> {
  write({ type: 'stream-start', warnings: [] })
  const blocks = new OutputBlocks(write)
  const functions = toolChoice?.type === 'none' ? {} : functionForms(tools)
  const request = { history: chatHistory(prompt), functions, maxTokens: maxOutputTokens }
  const onDelta = ({ kind, text }: Delta) => blocks.writeDelta(kind, text)
  const answered = await runtime.answer(request, { signal, onDelta }).finally(() => blocks.close())
  for (const call of answered.calls) writeCall(call, write)
  write({ type: 'finish', finishReason: { unified: answered.reason, raw: undefined }, usage: usageOf(answered) })
}

function writeCall({ name, params }: Answered['calls'][number], write: Write): void {
  const id = randomUUID()
  write({ type: 'tool-input-start', id, toolName: name })
  write({ type: 'tool-input-end', id })
  write({ type: 'tool-call', toolCallId: id, toolName: name, input: JSON.stringify(withoutNulls(params)) })
}

function usageOf({ usage }: Answered): LanguageModelV4Usage {
  const { inputTokens, cachedTokens, outputTokens } = usage
  return {
    inputTokens: { total: inputTokens, noCache: inputTokens - cachedTokens, cacheRead: cachedTokens, cacheWrite: undefined },
    outputTokens: { total: outputTokens, text: undefined, reasoning: undefined },
  }
}
