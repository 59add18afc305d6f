import type { ModelLimits } from './model-limits.ts'

/** From this many streams on, the pace slows with each further one. */
const STREAMS_AT_FULL_PACE = 25

/**
 * How long deltas are held to be merged: `mergeDeltasMs` as long as the process has little to do,
 * more with many streams, up to `mergeDeltasMaxMs`. What an answer costs goes by its deltas, so that
 * a busy process writes in larger pieces rather than falling behind.
 */
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
