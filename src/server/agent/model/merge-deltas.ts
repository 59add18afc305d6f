import type { LanguageModelV4, LanguageModelV4Prompt, LanguageModelV4StreamPart } from '@ai-sdk/provider'
import { BufferedDelta } from './buffered-delta.ts'
import type { MergePace } from './merge-pace.ts'
import { reportedFailure } from './model-error.ts'
import type { StreamFailures } from './stream-failures.ts'

/**
 * The model with its deltas merged, and its errors as what is behind them: the first of a stream at once, those that follow within the interval of the pace together.
 * The text is the same and in the same order; any other part first lets out what is held, and passes at once.
 * Everything behind this (the SDK's steps, the turn's log, the database, every follower) costs by the delta, not by the token.
 */
export function mergeDeltas(model: LanguageModelV4, pace: Pick<MergePace, 'intervalMs'>, failures: StreamFailures): LanguageModelV4 {
  return {
    specificationVersion: 'v4',
    provider: model.provider,
    modelId: model.modelId,
    supportedUrls: model.supportedUrls,
    doGenerate: (options) => model.doGenerate(options),
    doStream: async (callOptions) => {
      const options = failures.withOwnSignal(callOptions)
      const causeOf = (error: unknown) => asReported(failures.behind(options.abortSignal, error), options.prompt)
      try {
        const result = await model.doStream(options)
        return { ...result, stream: mergedStream(result.stream, pace, causeOf) }
      } catch (error) {
        throw causeOf(error)
      }
    },
  }
}

/** Packages pass an error in the stream on as the provider sent it, or as what their schema did not expect. */
function asReported(error: unknown, prompt: LanguageModelV4Prompt): unknown {
  const reported = error instanceof Error ? ('value' in error ? error.value : undefined) : error
  const isReport = typeof reported === 'string' || (typeof reported === 'object' && reported !== null)
  return isReport ? reportedFailure(reported, { body: JSON.stringify({ messages: prompt }) }) : error
}

export function mergedStream(
  source: ReadableStream<LanguageModelV4StreamPart>,
  pace: Pick<MergePace, 'intervalMs'>,
  causeOf: (error: unknown) => unknown = (error) => error,
): ReadableStream<LanguageModelV4StreamPart> {
  const merger = new DeltaMerger(source.getReader(), pace, causeOf)
  return new ReadableStream({
    pull: (controller) => merger.pull(controller),
    cancel: (reason) => merger.cancel(reason),
  })
}

/** Reads on only while its reader keeps up. */
class DeltaMerger {
  readonly #reader: ReadableStreamDefaultReader<LanguageModelV4StreamPart>
  readonly #pace: Pick<MergePace, 'intervalMs'>
  readonly #causeOf: (error: unknown) => unknown
  #buffer: BufferedDelta | undefined
  #cancelled = false

  constructor(
    reader: ReadableStreamDefaultReader<LanguageModelV4StreamPart>,
    pace: Pick<MergePace, 'intervalMs'>,
    causeOf: (error: unknown) => unknown,
  ) {
    this.#causeOf = causeOf
    this.#reader = reader
    this.#pace = pace
  }

  /** Reads until the queue is full. Rejects as the source does, after what is held went out. */
  async pull(controller: ReadableStreamDefaultController<LanguageModelV4StreamPart>): Promise<void> {
    const buffer = (this.#buffer ??= new BufferedDelta(this.#pace, (part) => controller.enqueue(part)))
    try {
      while ((controller.desiredSize ?? 0) > 0) {
        const { done, value } = await this.#reader.read()
        // What arrives while the reader leaves would be written to a stream that is closed.
        if (this.#cancelled) return
        if (done) {
          buffer.release()
          controller.close()
          return
        }
        buffer.accept(value.type === 'error' ? { ...value, error: this.#causeOf(value.error) } : value)
      }
    } catch (error) {
      buffer.release()
      throw error
    }
  }

  cancel(reason: unknown): Promise<void> {
    this.#cancelled = true
    this.#buffer?.drop()
    return this.#reader.cancel(reason)
  }
}
