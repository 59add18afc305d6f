import { vi } from 'vitest'

/** Less than the 15 s after which a pubsub that is trusted is checked (`pubsub/poller.ts`): what holds by then was rung for. */
const LIMIT_MS = 10_000
const INTERVAL_MS = 20

/** Resolves when `check` does not throw any more, with what it returns. */
export function eventually<Result>(check: () => Result | Promise<Result>, limitMs = LIMIT_MS): Promise<Result> {
  return vi.waitFor(check, { timeout: limitMs, interval: INTERVAL_MS })
}
