import { addedTime } from './support/added-time.ts'
import type { Figure } from './support/measurement.ts'
import { withRivals } from './support/rivals.ts'

const TOGETHER = 50
const WARM_UP_ROUNDS = 10
const ROUNDS = 30
const ALLOWED = 12

/** Time that Parley adds to the first token when 50 prompts arrive at the same moment. */
export const firstTokenAtOnce: Figure = {
  name: 'first-token-at-once',
  measure: () =>
    withRivals([], async ({ client, targets }) => {
      await client.times({ kind: 'at-once', targets, together: TOGETHER, rounds: WARM_UP_ROUNDS })
      const samples = await client.times({ kind: 'at-once', targets, together: TOGETHER, rounds: ROUNDS })
      return [addedTime(`the same, ${TOGETHER} at once`, samples, ALLOWED)]
    }),
}
