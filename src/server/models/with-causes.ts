import type { LanguageModelV4, LanguageModelV4Prompt, LanguageModelV4StreamPart, LanguageModelV4StreamResult } from '@ai-sdk/provider'
import type { ModelLimits } from './model-limits.ts'
import { afterOutput, ModelError, reportedFailure } from './requests/model-error.ts'
import { pauseBeforeRetry } from './requests/model-request.ts'
import type { StreamFailures } from './requests/stream-failures.ts'
import { streamingModel } from './streaming-model.ts'

type Stream = ReadableStream<LanguageModelV4StreamPart>

/** Replaces a model's errors by their causes, and repeats a call whose stream reports a transient error before any output. */
export function withCauses(
  model: LanguageModelV4,
  failures: StreamFailures,
  limits: Pick<ModelLimits, 'maxRetries' | 'retryDelayMs'>,
): LanguageModelV4 {
  return streamingModel(model, async (callOptions) => {
    const options = failures.withOwnSignal(callOptions)
    const causeOf = (error: unknown) => asReported(failures.behind(options.abortSignal, error), options.prompt)
    let repeats = 0
    /** Waits before a repeated call; returns `false` if there is none. */
    const mayRepeat = async (cause: unknown): Promise<boolean> => {
      if (!(cause instanceof ModelError) || !cause.isTransient || !cause.isInStream || repeats >= limits.maxRetries) return false
      await pauseBeforeRetry(limits.retryDelayMs, repeats, { signal: options.abortSignal })
      repeats += 1
      return true
    }
    const call = async (): Promise<LanguageModelV4StreamResult> => {
      for (;;) {
        try {
          return await model.doStream(options)
        } catch (error) {
          const cause = causeOf(error)
          if (!(await mayRepeat(cause))) throw cause
        }
      }
    }
    const result = await call()
    const again = async (cause: unknown) => ((await mayRepeat(cause)) ? (await call()).stream : null)
    return { ...result, stream: streamWithCauses(result.stream, { causeOf, again }) }
  })
}

/** Packages pass on an error of the stream as the provider sent it, as a failed validation, or, at its start, as a refused request. */
function asReported(error: unknown, prompt: LanguageModelV4Prompt): unknown {
  const reported =
    error instanceof Error ? ('value' in error ? error.value : 'responseBody' in error ? error.responseBody : undefined) : error
  const isReport = typeof reported === 'string' || (typeof reported === 'object' && reported !== null)
  return isReport ? reportedFailure(reported, { body: JSON.stringify({ messages: prompt }) }) : error
}

interface Reading {
  causeOf: (error: unknown) => unknown
  /** The stream of the repeated call; `null` if it isn't repeated. */
  again: (cause: unknown) => Promise<Stream | null>
}

/** Parts of an answer, as opposed to what providers tell about it. */
const OUTPUT = /^(?:text|reasoning|tool|source|file)/

/** Reads only as fast as its consumer. */
function streamWithCauses(source: Stream, { causeOf, again }: Reading): Stream {
  let reader = source.getReader()
  let hasOutput = false
  return new ReadableStream({
    async pull(controller) {
      for (;;) {
        const { done, value } = await reader.read()
        if (done) return controller.close()
        hasOutput ||= OUTPUT.test(value.type)
        if (value.type !== 'error') return controller.enqueue(value)
        const cause = causeOf(value.error)
        if (hasOutput) return controller.enqueue({ ...value, error: cause instanceof ModelError ? afterOutput(cause) : cause })
        if (!(await isRepeated(cause))) return controller.enqueue({ ...value, error: cause })
      }
    },
    cancel: (reason) => reader.cancel(reason),
  })

  async function isRepeated(cause: unknown): Promise<boolean> {
    const stream = await again(cause)
    if (stream === null) return false
    await reader.cancel()
    reader = stream.getReader()
    return true
  }
}
