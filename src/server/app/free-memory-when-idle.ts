import { performance } from 'node:perf_hooks'

const CHECK_INTERVAL_MS = 5_000
/** Share of an interval that the event loop is busy, below which the server counts as idle. */
const IDLE_UTILIZATION = 0.02
/** Growth of V8's heap since the last collection, below which there is little to free. */
const WORTHWHILE_BYTES = 4 * 1024 * 1024

export interface FreeMemoryOptions {
  /** Collects garbage, which blocks the event loop for a tenth of a second. */
  collect: () => void
  /** Time in milliseconds that the event loop has worked since the process started. */
  activeMs?: () => number
  /** Memory that V8's heap occupies, garbage included. */
  heapBytes?: () => number
}

/**
 * Collects garbage once the server is idle after work. V8 collects by how much is allocated, so it would keep the memory of a busy minute,
 * up to twice what the server needs, until the next one. Keeps no process alive; the result ends it.
 */
export function freeMemoryWhenIdle({
  collect,
  activeMs = () => performance.eventLoopUtilization().active,
  heapBytes = () => process.memoryUsage().heapTotal,
}: FreeMemoryOptions): () => void {
  let activeBefore = activeMs()
  let bytesBefore = heapBytes()
  const timer = setInterval(() => {
    const isIdle = activeMs() - activeBefore < IDLE_UTILIZATION * CHECK_INTERVAL_MS
    if (isIdle && heapBytes() - bytesBefore >= WORTHWHILE_BYTES) {
      collect()
      bytesBefore = heapBytes()
    }
    activeBefore = activeMs()
  }, CHECK_INTERVAL_MS)
  timer.unref()
  return () => clearInterval(timer)
}
