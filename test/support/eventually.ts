import { vi } from 'vitest'

/** Less than the 15 s after which a bell that is trusted is checked (`bell/watch.ts`): what holds by then was rung for. */
const LIMIT_MS = 10_000
const INTERVAL_MS = 20

/** Resolves when `check` does not throw any more, with what it returns. */
export function eventually<Result>(check: () => Result | Promise<Result>): Promise<Result> {
  return vi.waitFor(check, { timeout: LIMIT_MS, interval: INTERVAL_MS })
}
