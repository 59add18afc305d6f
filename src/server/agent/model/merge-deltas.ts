import type { LanguageModelV4, LanguageModelV4StreamPart } from '@ai-sdk/provider'
import type { MergePace } from './merge-pace.ts'
import type { StreamFailures } from './stream-failures.ts'

type Delta = Extract<LanguageModelV4StreamPart, { type: 'text-delta' | 'reasoning-delta' | 'tool-input-delta' }>

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
      const causeOf = (error: unknown) => failures.behind(options.abortSignal, error)
      try {
        const result = await model.doStream(options)
        return { ...result, stream: mergedStream(result.stream, pace, causeOf) }
      } catch (error) {
        throw causeOf(error)
      }
    },
  }
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

/** Holds at most one delta, and reads on only while its reader keeps up. */
class DeltaMerger {
  readonly #reader: ReadableStreamDefaultReader<LanguageModelV4StreamPart>
  readonly #pace: Pick<MergePace, 'intervalMs'>
  readonly #causeOf: (error: unknown) => unknown
  #held: Delta | undefined
  #timer: ReturnType<typeof setTimeout> | undefined
  #lastDeltaAt = Number.NEGATIVE_INFINITY
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
    try {
      while ((controller.desiredSize ?? 0) > 0) {
        const { done, value } = await this.#reader.read()
        // What arrives while the reader leaves would be written to a stream that is closed.
        if (this.#cancelled) return
        if (done) {
          this.#release(controller)
          controller.close()
          return
        }
        this.#accept(value, controller)
      }
    } catch (error) {
      this.#release(controller)
      throw error
    }
  }

  cancel(reason: unknown): Promise<void> {
    this.#cancelled = true
    clearTimeout(this.#timer)
    this.#held = undefined
    return this.#reader.cancel(reason)
  }

  #accept(part: LanguageModelV4StreamPart, controller: ReadableStreamDefaultController<LanguageModelV4StreamPart>): void {
    if (!isMergeable(part)) {
      this.#release(controller)
      controller.enqueue(part.type === 'error' ? { ...part, error: this.#causeOf(part.error) } : part)
      return
    }
    if (this.#held && this.#held.type === part.type && this.#held.id === part.id) {
      this.#held = { ...this.#held, delta: this.#held.delta + part.delta }
      return
    }
    this.#release(controller)
    this.#held = part
    const waitMs = this.#lastDeltaAt + this.#pace.intervalMs - performance.now()
    if (waitMs <= 0) this.#release(controller)
    else this.#timer = setTimeout(() => this.#release(controller), waitMs)
  }

  #release(controller: ReadableStreamDefaultController<LanguageModelV4StreamPart>): void {
    clearTimeout(this.#timer)
    if (!this.#held) return
    controller.enqueue(this.#held)
    this.#held = undefined
    this.#lastDeltaAt = performance.now()
  }
}

function isMergeable(part: LanguageModelV4StreamPart): part is Delta {
  const isDelta = part.type === 'text-delta' || part.type === 'reasoning-delta' || part.type === 'tool-input-delta'
  return isDelta && part.providerMetadata === undefined
}
