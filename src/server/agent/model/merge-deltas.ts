import type { LanguageModelV4, LanguageModelV4Prompt, LanguageModelV4StreamPart } from '@ai-sdk/provider'
import { BufferedDelta } from './buffered-delta.ts'
import type { MergePace } from './merge-pace.ts'
import { reportedFailure } from './model-error.ts'
import type { StreamFailures } from './stream-failures.ts'

/**
 * Merges a model's deltas and replaces its errors by their causes. The first delta passes at once; those that follow within the pace's
 * interval are merged. Any other part flushes the buffer and passes at once, so text and order stay the same.
 * Everything downstream (the SDK, the turn log, the database, every follower) costs per delta, not per token.
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

/** Packages pass on an error of the stream as the provider sent it, or as a failed validation. */
function asReported(error: unknown, prompt: LanguageModelV4Prompt): unknown {
  const reported = error instanceof Error ? ('value' in error ? error.value : undefined) : error
  const isReport = typeof reported === 'string' || (typeof reported === 'object' && reported !== null)
  return isReport ? reportedFailure(reported, { body: JSON.stringify({ messages: prompt }) }) : error
}

/** The stream with deltas merged into larger ones, at the given pace. `causeOf` maps the error that ends it. */
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

/** Reads only as fast as its consumer. */
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

  /** Reads until the queue is full. Rejects as the source does, after flushing the buffer. */
  async pull(controller: ReadableStreamDefaultController<LanguageModelV4StreamPart>): Promise<void> {
    const buffer = (this.#buffer ??= new BufferedDelta(this.#pace, (part) => controller.enqueue(part)))
    try {
      while ((controller.desiredSize ?? 0) > 0) {
        const { done, value } = await this.#reader.read()
        // The stream is closed; a late part must not be written to it.
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
