/** Consecutive cut streams after which a proxy is assumed to block them. */
const CUT_IN_A_ROW = 2
/** Streams that end this close together count once: a server that stops ends all of them. */
const TOGETHER_MS = 1_000
/** Time after which a stream is tried again. */
const WITHOUT_MS = 120_000

/** Tracks whether streams get through. Behind a proxy that cuts them, the page polls instead. */
export class StreamHealth {
  #now: () => number
  #cut = 0
  #lastCutMs = Number.NEGATIVE_INFINITY
  #cutUntilMs = 0

  constructor(now: () => number) {
    this.#now = now
  }

  get isBlocked(): boolean {
    return this.#now() < this.#cutUntilMs
  }

  /** A stream ended early or without an event. */
  reportCut(): void {
    const now = this.#now()
    if (now - this.#lastCutMs < TOGETHER_MS) return
    this.#lastCutMs = now
    this.#cut += 1
    if (this.#cut >= CUT_IN_A_ROW) this.#cutUntilMs = now + WITHOUT_MS
  }

  reportComplete(): void {
    this.#cut = 0
    this.#cutUntilMs = 0
  }
}

export const streams = new StreamHealth(() => performance.now())
