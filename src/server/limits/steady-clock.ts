/** Correction per millisecond while the steady clock is behind or ahead of the wall clock. */
const CATCH_UP = 1
const HOLD_BACK = 0.5

export interface SteadyClockOptions {
  /** Milliseconds since the epoch; may jump. */
  wall: () => number
  /** Monotonic milliseconds. */
  monotonic: () => number
}

/**
 * A monotonic clock in milliseconds since the epoch, for windows that must not end or restart when the wall clock jumps. It starts at the
 * wall clock and corrects differences, after a jump or sleep, at double or half speed. Integers, because PostgreSQL stores
 * `bigint`.
 */
export function steadyClock({ wall, monotonic }: SteadyClockOptions): () => number {
  let time = wall()
  let readAt = monotonic()
  return () => {
    const now = monotonic()
    const elapsed = now - readAt
    readAt = now
    time += elapsed
    time += Math.min(Math.max(wall() - time, -elapsed * HOLD_BACK), elapsed * CATCH_UP)
    return Math.floor(time)
  }
}
