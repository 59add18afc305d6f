import { addedMs } from './support/added-time.ts'
import { type Figure, milliseconds, recorded, withinBound } from './support/measurement.ts'
import { withSetup } from './support/setup.ts'

const TOGETHER = 50
const WARM_UP_ROUNDS = 60
const ROUNDS = 30
const BOUND_MS = 40

/** Time that Parley adds before the model's first word when 50 prompts arrive at the same moment. */
export const firstTokenAtOnce: Figure = {
  name: 'first-token-at-once',
  measure: () =>
    withSetup([], async ({ client, targets }) => {
      await client.times({ kind: 'at-once', targets, together: TOGETHER, rounds: WARM_UP_ROUNDS })
      const samples = await client.times({ kind: 'at-once', targets, together: TOGETHER, rounds: ROUNDS })
      return [
        recorded(`the same with ${TOGETHER} at once, p50`, addedMs(samples, 0.5), milliseconds),
        withinBound(`the same with ${TOGETHER} at once, p95`, addedMs(samples, 0.95), BOUND_MS, milliseconds),
      ]
    }),
}
