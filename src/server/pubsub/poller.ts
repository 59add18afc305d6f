import type { PubSub } from './pubsub.ts'

/** Poll interval with a reliable pubsub, since messages may be lost. */
const TRUSTED_INTERVAL_MS = 15_000
/** Retry interval after a failure. */
const FAULT_INTERVAL_MS = 1_000

export interface PollerOptions {
  pubsub: PubSub
  /** Poll interval without a reliable pubsub. */
  intervalMs: number
  /** Reads the state behind the topics: published ones, or all watched ones. Calls never overlap. */
  poll: (topics: string[], why: 'published' | 'due') => Promise<void>
  /** Called with the first of consecutive failures. */
  onFault: (cause: unknown) => void
}

/**
 * Polls for changes by other processes: at once when a topic is published, and periodically. One poll serves all subscribers.
 * Idle while nothing is watched.
 */
export class Poller {
  readonly #options: PollerOptions
  /** Watched topics with their unsubscribe functions. */
  readonly #watched = new Map<string, () => void>()
  readonly #rung = new Set<string>()
  readonly #forget: () => void
  #timer: ReturnType<typeof setTimeout> | undefined
  #isLooking = false
  #isFaulty = false
  #polledAtMs = 0

  constructor(options: PollerOptions) {
    this.#options = options
    this.#forget = options.pubsub.onReliabilityChange(() => this.#doubt())
  }

  /** Watches a topic without polling it. */
  add(topic: string): void {
    if (this.#watched.has(topic)) return
    if (this.#watched.size === 0) this.#polledAtMs = performance.now()
    this.#watched.set(
      topic,
      this.#options.pubsub.subscribe(topic, () => this.#hear(topic)),
    )
    this.#schedule()
  }

  /** Polls a watched topic now. */
  pollNow(topic: string): void {
    this.#hear(topic)
  }

  remove(topic: string): void {
    this.#watched.get(topic)?.()
    this.#watched.delete(topic)
    this.#rung.delete(topic)
    if (this.#watched.size === 0) this.#cancel()
  }

  close(): void {
    this.#forget()
    for (const topic of this.#watched.keys()) this.remove(topic)
  }

  #hear(topic: string): void {
    this.#rung.add(topic)
    this.#reschedule()
  }

  /** Messages may have been lost, or no longer arrive. */
  #doubt(): void {
    this.#polledAtMs = Number.NEGATIVE_INFINITY
    this.#reschedule()
  }

  #reschedule(): void {
    this.#cancel()
    this.#schedule()
  }

  #cancel(): void {
    clearTimeout(this.#timer)
    this.#timer = undefined
  }

  #schedule(): void {
    if (this.#isLooking || this.#watched.size === 0) return
    this.#timer ??= setTimeout(() => this.#poll(), this.#delayMs()).unref()
  }

  #delayMs(): number {
    if (this.#isFaulty) return FAULT_INTERVAL_MS
    return this.#rung.size > 0 ? 0 : Math.max(0, this.#dueAtMs() - performance.now())
  }

  #dueAtMs(): number {
    const { pubsub, intervalMs } = this.#options
    return this.#polledAtMs + (pubsub.isReliable ? Math.max(TRUSTED_INTERVAL_MS, intervalMs) : intervalMs)
  }

  #poll(): void {
    this.#timer = undefined
    this.#isLooking = true
    // Frequent messages don't postpone the full poll.
    const isDue = this.#isFaulty || this.#rung.size === 0 || performance.now() >= this.#dueAtMs()
    const topics = [...(isDue ? this.#watched.keys() : this.#rung)]
    this.#rung.clear()
    if (isDue) this.#polledAtMs = performance.now()
    this.#options.poll(topics, isDue ? 'due' : 'published').then(
      () => this.#polled(false),
      (error: unknown) => {
        if (!this.#isFaulty) this.#options.onFault(error)
        this.#polled(true)
      },
    )
  }

  #polled(isFaulty: boolean): void {
    this.#isFaulty = isFaulty
    this.#isLooking = false
    this.#schedule()
  }
}
