import { AsyncLocalStorage } from 'node:async_hooks'

/** Time that a request has spent waiting for a slow database, and when the last of these waits ended. */
interface Waits {
  ms: number
  endedAt: number
}

const waitsOfRequest = new AsyncLocalStorage<Waits>()
const waitsOf = new WeakMap<object, Waits>()

/** Runs a part of a request, whose slow waits for the database count together. */
export function withinRequest(request: object, run: () => void): void {
  const waits = waitsOf.get(request) ?? { ms: 0, endedAt: 0 }
  waitsOf.set(request, waits)
  waitsOfRequest.run(waits, run)
}

/**
 * Limits waits for the database so that a request is answered within `timeoutMs`, though a single wait may take most of it. What answers and
 * exports wait for is forgotten after as long, so work that a request has begun doesn't inherit its waits.
 */
export class WaitingTime {
  readonly #timeoutMs: number

  constructor(timeoutMs: number) {
    this.#timeoutMs = timeoutMs
  }

  /** Longest next wait of the current request: at most this share of the timeout. */
  next(share: number): number {
    const waits = this.#recent()
    return Math.min(this.#timeoutMs * share, Math.max(this.#timeoutMs * LEAST_SHARE, this.#timeoutMs * TOTAL_SHARE - (waits?.ms ?? 0)))
  }

  /** Counts a wait, if it was slow. */
  add(ms: number): void {
    const waits = this.#recent()
    if (!waits || ms < this.#timeoutMs * SLOW_SHARE) return
    waits.ms += ms
    waits.endedAt = performance.now()
  }

  #recent(): Waits | undefined {
    const waits = waitsOfRequest.getStore()
    if (waits && performance.now() - waits.endedAt > this.#timeoutMs) waits.ms = 0
    return waits
  }
}

/** The rest is for what isn't the database. */
const TOTAL_SHARE = 0.95
/** Left to each wait even after slow ones: many requests in a row are better than none. */
const LEAST_SHARE = 0.25
const SLOW_SHARE = 0.1
