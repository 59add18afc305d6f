const FIRST_PAUSE_MS = 1_000
const LONGEST_PAUSE_MS = 15_000

/**
 * Waits before the next attempt, twice as long after each failure, with jitter: 0.5 s to 1 s at first, 15 s at most.
 * Being online again, or shown again, ends the wait; so does `signal`. Otherwise it lasts `leastS` seconds at least.
 */
export function pauseAfter(failures: number, signal: AbortSignal, leastS = 0): Promise<void> {
  const longest = Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** failures)
  return wait(signal, Math.max(leastS * 1000, longest * (0.5 + Math.random() / 2)))
}

/** Resolves when the page is shown, or `signal` aborts. A hidden page holds no connection: browsers allow six to one server. */
export async function whenShown(signal: AbortSignal): Promise<void> {
  while (document.hidden && !signal.aborted) await wait(signal)
}

/** Resolves after `ms`, if given, when the browser is online again, when the page is shown or hidden, and when `signal` aborts. */
async function wait(signal: AbortSignal, ms?: number): Promise<void> {
  if (signal.aborted) return
  const { promise, resolve } = Promise.withResolvers<void>()
  const over = new AbortController()
  const timer = ms === undefined ? undefined : setTimeout(resolve, ms)
  const events: [EventTarget, string][] = [
    [window, 'online'],
    [document, 'visibilitychange'],
    [signal, 'abort'],
  ]
  for (const [target, event] of events) target.addEventListener(event, () => resolve(), { signal: over.signal })
  await promise
  clearTimeout(timer)
  over.abort()
}
