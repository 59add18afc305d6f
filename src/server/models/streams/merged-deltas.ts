import type { LanguageModelV4StreamPart } from '@ai-sdk/provider'

type Part = LanguageModelV4StreamPart
type Delta = Extract<Part, { type: 'text-delta' | 'reasoning-delta' | 'tool-input-delta' }>
type Controller = ReadableStreamDefaultController<Part>

/** With more deltas held in the process, intervals are twice as long: it sends larger pieces instead of falling behind. */
const MANY_HELD = 40
let heldDeltas = 0

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
    const waitMs = this.#lastAt + this.#intervalMs * (heldDeltas > MANY_HELD ? 2 : 1) - now
    if (waitMs <= 0) {
      this.#lastAt = now
      return false
    }
    this.#delta = { ...part }
    heldDeltas += 1
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
    if (this.#delta) heldDeltas -= 1
    this.#delta = null
  }
}

const isDelta = (part: Part): part is Delta =>
  part.type === 'text-delta' || part.type === 'reasoning-delta' || part.type === 'tool-input-delta'
