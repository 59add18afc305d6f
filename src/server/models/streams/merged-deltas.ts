import type { LanguageModelV4, LanguageModelV4StreamPart } from '@ai-sdk/provider'
import { streamingModel } from '../streaming-model.ts'

type Part = LanguageModelV4StreamPart
type Delta = Extract<Part, { type: 'text-delta' | 'reasoning-delta' | 'tool-input-delta' }>
type Controller = ReadableStreamDefaultController<Part>

/** A model whose stream passes through a filter. */
export function withStream(model: LanguageModelV4, filter: (stream: ReadableStream<Part>) => ReadableStream<Part>): LanguageModelV4 {
  return streamingModel(model, async (options) => {
    const result = await model.doStream(options)
    return { ...result, stream: filter(result.stream) }
  })
}

/** Passes the first delta at once, those within the interval after it together, and any other part at once after these. */
export function mergedDeltas(source: ReadableStream<Part>, intervalMs: number): ReadableStream<Part> {
  const reader = source.getReader()
  let held: HeldDelta | undefined
  let isCancelled = false
  return new ReadableStream({
    start(controller) {
      held = new HeldDelta(intervalMs, controller)
    },
    async pull(controller) {
      try {
        while ((controller.desiredSize ?? 0) > 0) {
          const { done, value } = await reader.read()
          if (isCancelled) return
          if (!done) {
            if (!held?.add(value)) controller.enqueue(value)
            continue
          }
          held?.pass()
          return controller.close()
        }
      } catch (error) {
        held?.pass()
        throw error
      }
    },
    cancel(reason) {
      isCancelled = true
      held?.drop()
      return reader.cancel(reason)
    },
  })
}

/** At most one delta, which passes when its interval is over. */
class HeldDelta {
  readonly #intervalMs: number
  readonly #controller: Controller
  #delta: Delta | null = null
  #timer: NodeJS.Timeout | undefined
  #lastAt = Number.NEGATIVE_INFINITY

  constructor(intervalMs: number, controller: Controller) {
    this.#intervalMs = intervalMs
    this.#controller = controller
  }

  /** Returns whether it holds the part; if not, what it held has passed. */
  add(part: Part): boolean {
    if (!isDelta(part)) {
      this.pass()
      return false
    }
    if (this.#delta?.type === part.type && this.#delta.id === part.id) {
      this.#delta.delta += part.delta
      return true
    }
    this.pass()
    const now = performance.now()
    const waitMs = this.#lastAt + this.#intervalMs - now
    if (waitMs <= 0) {
      this.#lastAt = now
      return false
    }
    this.#delta = { ...part }
    this.#timer = setTimeout(() => this.pass(), waitMs)
    return true
  }

  pass(): void {
    const delta = this.#delta
    this.drop()
    if (!delta) return
    this.#lastAt = performance.now()
    this.#controller.enqueue(delta)
  }

  drop(): void {
    clearTimeout(this.#timer)
    this.#delta = null
  }
}

const isDelta = (part: Part): part is Delta =>
  part.type === 'text-delta' || part.type === 'reasoning-delta' || part.type === 'tool-input-delta'
