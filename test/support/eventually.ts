import { vi } from 'vitest'

/** Less than the 15 s poll interval with a reliable pubsub (`pubsub/poller.ts`), so changes seen within it were published. */
const LIMIT_MS = 10_000
const INTERVAL_MS = 20

/** Retries `check` until it does not throw. Resolves with its result. */
export function eventually<Result>(check: () => Result | Promise<Result>, limitMs = LIMIT_MS): Promise<Result> {
  return vi.waitFor(check, { timeout: limitMs, interval: INTERVAL_MS })
}
