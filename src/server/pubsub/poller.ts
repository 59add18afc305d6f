import type { PubSub } from './pubsub.ts'

/** While the pubsub can be trusted, everything is looked at this often all the same: a ring may have been lost on its way. */
const TRUSTED_INTERVAL_MS = 15_000
/** After a fault it is tried again at this pace. */
const FAULT_INTERVAL_MS = 1_000

export interface PollerOptions {
  pubsub: PubSub
  /** How often everything is looked at while the pubsub cannot be trusted. */
  intervalMs: number
  /** Reads what the topics stand for: those that rang, or all that are watched. Two looks never overlap. */
  poll: (topics: string[], why: 'published' | 'due') => Promise<void>
  /** Hears of the first of several faults in a row. */
  onFault: (cause: unknown) => void
}

/**
 * Looks at what others may have changed: at once when it rings, and from time to time; once for all who want to know.
 * While nothing is watched it does nothing.
 */
export class Poller {
  readonly #options: PollerOptions
  /** Watched topics, and how to stop listening to each. */
  readonly #watched = new Map<string, () => void>()
  readonly #rung = new Set<string>()
  readonly #forget: () => void
  #timer: ReturnType<typeof setTimeout> | undefined
  #isLooking = false
  #isFaulty = false
  #lookedAtMs = 0

  constructor(options: PollerOptions) {
    this.#options = options
    this.#forget = options.pubsub.onReliabilityChange(() => this.#doubt())
  }

  /** Watches a topic from now on; it is not looked at for that. */
  add(topic: string): void {
    if (this.#watched.has(topic)) return
    if (this.#watched.size === 0) this.#lookedAtMs = performance.now()
    this.#watched.set(
      topic,
      this.#options.pubsub.subscribe(topic, () => this.#hear(topic)),
    )
    this.#schedule()
  }

  /** Looks at a watched topic now, as if it had rung. */
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

  /** Rings may have been lost, or are not to be waited for any more. */
  #doubt(): void {
    this.#lookedAtMs = Number.NEGATIVE_INFINITY
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
    return this.#lookedAtMs + (pubsub.isReliable ? Math.max(TRUSTED_INTERVAL_MS, intervalMs) : intervalMs)
  }

  #poll(): void {
    this.#timer = undefined
    this.#isLooking = true
    // Constant ringing does not put off the look at everything.
    const isDue = this.#isFaulty || this.#rung.size === 0 || performance.now() >= this.#dueAtMs()
    const topics = [...(isDue ? this.#watched.keys() : this.#rung)]
    this.#rung.clear()
    if (isDue) this.#lookedAtMs = performance.now()
    this.#options.poll(topics, isDue ? 'due' : 'published').then(
      () => this.#looked(false),
      (error: unknown) => {
        if (!this.#isFaulty) this.#options.onFault(error)
        this.#looked(true)
      },
    )
  }

  #looked(isFaulty: boolean): void {
    this.#isFaulty = isFaulty
    this.#isLooking = false
    this.#schedule()
  }
}
