/** Sampling interval and number of samples: half a second. */
const SAMPLE_INTERVAL_MS = 50
const LOOKS = 10
/** Hysteresis: once high, the lag must fall to this share of the limit. */
const CALM_SHARE = 0.5

/** Average event loop lag over the last half second. A single pause, such as a garbage collection, doesn't make it high. */
export class LoopLag {
  readonly #limitMs: number
  readonly #lateMs: number[] = []
  /** Whether the lag would be noticeable in streams. */
  isHigh = false

  constructor(limitMs: number) {
    this.#limitMs = limitMs
  }

  get ms(): number {
    return this.#lateMs.reduce((sum, late) => sum + late, 0) / LOOKS
  }

  /** Adds a sample: how late the timer fired, in milliseconds. */
  looked(lateMs: number): void {
    this.#lateMs.push(Math.min(Math.max(0, lateMs), this.#limitMs * LOOKS * CALM_SHARE))
    if (this.#lateMs.length > LOOKS) this.#lateMs.shift()
    this.isHigh = this.ms > (this.isHigh ? this.#limitMs * CALM_SHARE : this.#limitMs)
  }
}

/** Starts sampling the loop and calls `onSample` each time. Returns a function that stops it. */
export function watchLoop(lag: LoopLag, now: () => number, onSample: () => void): () => void {
  let due = now() + SAMPLE_INTERVAL_MS
  const timer = setInterval(() => {
    const time = now()
    lag.looked(time - due)
    due = time + SAMPLE_INTERVAL_MS
    onSample()
  }, SAMPLE_INTERVAL_MS)
  timer.unref()
  return () => clearInterval(timer)
}
