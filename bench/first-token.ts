import { addedMs } from './support/added-time.ts'
import { type Figure, milliseconds, withinBound } from './support/measurement.ts'
import { withSetup } from './support/setup.ts'

const WARM_UP_ROUNDS = 3_000
const ROUNDS = 1_200
const BOUND_MS = 8

/** Time that Parley adds before the model's first word, one prompt after another. Parley commits each prompt durably first. */
export const firstToken: Figure = {
  name: 'first-token',
  measure: () =>
    withSetup([], async ({ client, targets }) => {
      await client.times({ kind: 'one-after-another', targets, rounds: WARM_UP_ROUNDS })
      const samples = await client.times({ kind: 'one-after-another', targets, rounds: ROUNDS })
      return [withinBound('added before the first word, p50', addedMs(samples, 0.5), BOUND_MS, milliseconds)]
    }),
}
