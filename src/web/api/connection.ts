import { settledOrAborted } from '../../async/abort.ts'

const MIN_PAUSE_MS = 1_000
const MAX_PAUSE_MS = 15_000

/**
 * Exponential backoff with jitter: 0.5 to 1 s at first, at most 15 s, at least `leastS` seconds.
 * Ends early when the browser comes online, the page is shown or hidden, or `signal` aborts.
 */
export function pauseAfter(failures: number, signal: AbortSignal, leastS = 0): Promise<void> {
  const longest = Math.min(MAX_PAUSE_MS, MIN_PAUSE_MS * 2 ** failures)
  return wait(signal, Math.max(leastS * 1000, longest * (0.5 + Math.random() / 2)))
}

/** Resolves when the page is visible or `signal` aborts. Hidden pages close connections, because browsers allow six per server. */
export async function whenShown(signal: AbortSignal): Promise<void> {
  while (document.hidden && !signal.aborted) await wait(signal)
}

/** Resolves after `ms` if given, or when the browser comes online, the page is shown or hidden, or `signal` aborts. */
async function wait(signal: AbortSignal, ms?: number): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  const over = new AbortController()
  const timer = ms === undefined ? undefined : setTimeout(resolve, ms)
  window.addEventListener('online', () => resolve(), { signal: over.signal })
  document.addEventListener('visibilitychange', () => resolve(), { signal: over.signal })
  await settledOrAborted(promise, signal)
  clearTimeout(timer)
  over.abort()
}
