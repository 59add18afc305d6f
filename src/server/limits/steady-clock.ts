/** How fast the steady clock catches up with the wall clock when it is behind, and waits for it when it is ahead, for each millisecond. */
const CATCH_UP = 1
const HOLD_BACK = 0.5

export interface SteadyClockOptions {
  /** Milliseconds since the epoch; may jump. */
  wall: () => number
  /** Milliseconds since some moment; never jumps and never goes back. */
  monotonic: () => number
}

/**
 * Milliseconds since the epoch, for windows of time that no jump of the wall clock may end or begin again: it starts with the wall
 * clock, goes on by itself and never goes back. A difference, after a jump or a sleep of the machine, is made up for at double or
 * half speed. Whole milliseconds: a fraction is no `bigint` to PostgreSQL.
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
