import type { ModelLimits } from '../model-limits.ts'

/** With more streams, the interval grows. */
const STREAMS_AT_FULL_PACE = 25

/** Interval for merging deltas. It grows with the streams: a busy process writes larger pieces instead of falling behind. */
export class MergePace {
  readonly #limits: Pick<ModelLimits, 'mergeDeltasMs' | 'mergeDeltasMaxMs'>
  #streams = 0

  constructor(limits: Pick<ModelLimits, 'mergeDeltasMs' | 'mergeDeltasMaxMs'>) {
    this.#limits = limits
  }

  get intervalMs(): number {
    const { mergeDeltasMs, mergeDeltasMaxMs } = this.#limits
    return Math.min(mergeDeltasMs * Math.max(1, this.#streams / STREAMS_AT_FULL_PACE), Math.max(mergeDeltasMs, mergeDeltasMaxMs))
  }

  /** Counts a stream until the returned function is called. */
  enter(): () => void {
    this.#streams += 1
    let isIn = true
    return () => {
      if (isIn) this.#streams -= 1
      isIn = false
    }
  }
}
