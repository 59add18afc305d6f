import { setTimeout as pause } from 'node:timers/promises'
import { type Database, isEmbedded } from '../store/engine/database.ts'

/** Rows of a batch. The first batches are small, since nobody knows how long a row takes. */
const FIRST_ROWS = 20
export const MIN_ROWS = 10
export const MAX_ROWS = 500
/** A slow batch shrinks the next one at once; fast batches grow it step by step. */
const MAX_SHRINK = 0.25
const MAX_GROWTH = 1.5
const MIN_PAUSE_MS = 1
const MAX_PAUSE_MS = 1_000

export interface Pace {
  /** How long a batch should take. */
  batchMs: number
  /** Pause after a batch as a multiple of its time. */
  pauseFactor: number
}

/** Batches take a seventh of the time in all. On the embedded database prompts wait for a batch, so each is short. */
export function paceOf(database: Database): Pace {
  return { batchMs: isEmbedded(database) ? 5 : 20, pauseFactor: 6 }
}

export interface BatchOptions extends Pace {
  signal?: AbortSignal | undefined
  /** Monotonic milliseconds. */
  monotonic?: () => number
  wait?: (ms: number) => Promise<unknown>
  /** Called after each batch, outside of its time. */
  afterBatch?: (handled: number) => Promise<void>
}

/**
 * Calls `work` with the number of rows that it may handle, until it returns 0 or `signal` aborts. Sizes each batch by the time of the
 * last one, and pauses in proportion to it. Returns the sum of the results.
 */
export async function runBatches(work: (rows: number) => Promise<number>, options: BatchOptions): Promise<number> {
  const { batchMs, pauseFactor, signal, monotonic = () => performance.now(), wait = (ms) => pause(ms) } = options
  let total = 0
  let rows = FIRST_ROWS
  for (;;) {
    if (signal?.aborted) return total
    const startedAt = monotonic()
    const handled = await work(rows)
    if (handled === 0) return total
    total += handled
    const elapsedMs = monotonic() - startedAt
    await options.afterBatch?.(handled)
    rows = nextRows(rows, elapsedMs / batchMs)
    await wait(Math.min(Math.max(elapsedMs * pauseFactor, MIN_PAUSE_MS), MAX_PAUSE_MS))
  }
}

/** @param slowness Time of the last batch, divided by what it should have taken. */
function nextRows(rows: number, slowness: number): number {
  const factor = Math.min(Math.max(1 / Math.max(slowness, Number.EPSILON), MAX_SHRINK), MAX_GROWTH)
  return Math.round(Math.min(Math.max(rows * factor, MIN_ROWS), MAX_ROWS))
}
