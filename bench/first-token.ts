import { addedTime } from './support/added-time.ts'
import type { Figure } from './support/measurement.ts'
import { withRivals } from './support/rivals.ts'

const WARM_UP_ROUNDS = 3000
const ROUNDS = 2400
const ALLOWED = 5.3

/** Time that Parley adds to the first token, one prompt after another. Parley commits each prompt durably first. */
export const firstToken: Figure = {
  name: 'first-token',
  measure: () =>
    withRivals([], async ({ client, targets }) => {
      await client.times({ kind: 'one-after-another', targets, rounds: WARM_UP_ROUNDS })
      const samples = await client.times({ kind: 'one-after-another', targets, rounds: ROUNDS })
      return [addedTime('added time to first token, p50', samples, ALLOWED)]
    }),
}
