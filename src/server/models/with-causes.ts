import type { LanguageModelV4, LanguageModelV4Prompt, LanguageModelV4StreamPart, LanguageModelV4StreamResult } from '@ai-sdk/provider'
import type { AgentFailure } from './agent-failure.ts'
import type { ModelLimits } from './model-limits.ts'
import { afterOutput, ModelError, reportedFailure } from './requests/model-error.ts'
import { pauseBeforeRetry } from './requests/model-request.ts'
import type { StreamFailures } from './requests/model-fetch.ts'
import { streamingModel } from './streaming-model.ts'
import { mergedDeltas } from './streams/merged-deltas.ts'

type Stream = ReadableStream<LanguageModelV4StreamPart>

interface CallOptions extends Pick<ModelLimits, 'maxRetries' | 'retryDelayMs' | 'mergeDeltasMs'> {
  /** Changes what the next call does, as an error asks; returns `false` if it asks for nothing. Called once a call. */
  adapt?: (error: ModelError) => boolean
}

/** Merges a model's deltas, replaces its errors by their causes, and repeats a call whose stream reports a transient error before any output. */
export function withCauses(
  model: LanguageModelV4,
  failures: StreamFailures,
  { maxRetries, retryDelayMs, mergeDeltasMs, adapt }: CallOptions,
): LanguageModelV4 {
  return streamingModel(model, async (callOptions) => {
    const abortSignal = AbortSignal.any(callOptions.abortSignal ? [callOptions.abortSignal] : [])
    const options = { ...callOptions, abortSignal }
    const causeOf = (error: unknown) => asReported(failures.get(abortSignal) ?? error, options.prompt)
    let repeats = 0
    let isAdapted = false
    /** Waits before a repeated call; returns `false` if there is none. */
    const mayRepeat = async (cause: unknown): Promise<boolean> => {
      if (!(cause instanceof ModelError)) return false
      if (!isAdapted && adapt?.(cause)) return (isAdapted = true)
      if (!cause.isTransient || !cause.isInStream || repeats >= maxRetries) return false
      await pauseBeforeRetry(retryDelayMs, repeats, { signal: abortSignal })
      repeats += 1
      return true
    }
    const call = async (): Promise<LanguageModelV4StreamResult> => {
      for (;;) {
        try {
          const result = await model.doStream(options)
          // Everything after this costs per delta, not per token.
          return { ...result, stream: mergedDeltas(result.stream, mergeDeltasMs) }
        } catch (error) {
          const cause = causeOf(error)
          if (!(await mayRepeat(cause))) throw cause
        }
      }
    }
    const result = await call()
    const again = async (cause: unknown) => ((await mayRepeat(cause)) ? (await call()).stream : null)
    return { ...result, stream: streamWithCauses(result.stream, { causeOf, again, brokenOff: () => failures.get(abortSignal) }) }
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
  /** Why the body of the stream has ended early, if it has. */
  brokenOff: () => AgentFailure | undefined
}

/** Parts of an answer, as opposed to what providers tell about it. */
const OUTPUT = /^(?:text|reasoning|tool|source|file)/

/** Reads only as fast as its consumer. */
function streamWithCauses(source: Stream, { causeOf, again, brokenOff }: Reading): Stream {
  let reader = source.getReader()
  let hasOutput = false
  let hasFailed = false
  let isCancelled = false
  return new ReadableStream({
    async pull(controller) {
      const fail = (error: unknown) => {
        hasFailed = true
        controller.enqueue({ type: 'error', error })
      }
      for (;;) {
        const { done, value } = await reader.read()
        // A package takes a body that has ended early for a whole one.
        const failure = !hasFailed && (done || value.type === 'finish') ? brokenOff() : undefined
        if (failure) fail(failure)
        if (done) return controller.close()
        hasOutput ||= OUTPUT.test(value.type)
        if (value.type !== 'error') return controller.enqueue(value)
        const cause = causeOf(value.error)
        if (hasOutput) return fail(cause instanceof ModelError ? afterOutput(cause) : cause)
        if (!(await isRepeated(cause))) return fail(cause)
      }
    },
    cancel(reason) {
      isCancelled = true
      return reader.cancel(reason)
    },
  })

  async function isRepeated(cause: unknown): Promise<boolean> {
    const stream = await again(cause)
    if (stream === null) return false
    await reader.cancel()
    reader = stream.getReader()
    if (isCancelled) await reader.cancel()
    return true
  }
}
