/** How often the loop is looked at, and over how many looks its lag is averaged: half a second. */
const LOOK_EVERY_MS = 50
const LOOKS = 10
/** Once it is high, it has to fall to this share of the limit, or the process would be slow and quick by turns. */
const CALM_SHARE = 0.5

/** How late the event loop comes to what is due, on average over the last half second. One pause alone, as of a collection, makes it not high. */
export class LoopLag {
  readonly #limitMs: number
  readonly #lateMs: number[] = []
  #isHigh = false

  constructor(limitMs: number) {
    this.#limitMs = limitMs
  }

  get ms(): number {
    return this.#lateMs.reduce((sum, late) => sum + late, 0) / LOOKS
  }

  /** Whether readers of running answers would notice. */
  get isHigh(): boolean {
    return this.#isHigh
  }

  /** Takes one look: so late did it come. */
  looked(lateMs: number): void {
    this.#lateMs.push(Math.min(Math.max(0, lateMs), this.#limitMs * LOOKS * CALM_SHARE))
    if (this.#lateMs.length > LOOKS) this.#lateMs.shift()
    this.#isHigh = this.ms > (this.#isHigh ? this.#limitMs * CALM_SHARE : this.#limitMs)
  }
}

/** Looks at the loop from now on, and calls `onLook` each time. Returns how to stop. */
export function watchLoop(lag: LoopLag, now: () => number, onLook: () => void): () => void {
  let due = now() + LOOK_EVERY_MS
  const timer = setInterval(() => {
    const time = now()
    lag.looked(time - due)
    due = time + LOOK_EVERY_MS
    onLook()
  }, LOOK_EVERY_MS)
  timer.unref()
  return () => clearInterval(timer)
}
