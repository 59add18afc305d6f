import { setTimeout } from 'node:timers/promises'

/** Only ends tests that hang. */
const LIMIT_MS = 300_000
const INTERVAL_MS = 20

/**
 * Retries `check` until it does not throw. Resolves with its result, or rejects with its last error after the limit. Without Vitest, because
 * `npm run pictures` waits too.
 */
export async function eventually<Result>(check: () => Result | Promise<Result>, limitMs = LIMIT_MS): Promise<Result> {
  const endsAt = performance.now() + limitMs
  for (;;) {
    try {
      return await check()
    } catch (error) {
      if (performance.now() > endsAt) throw error
    }
    await setTimeout(INTERVAL_MS)
  }
}
