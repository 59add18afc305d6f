import fc from 'fast-check'
import { describe, test } from 'vitest'
import { DATABASES } from '../support/databases.ts'
import { sampleSize } from '../support/sample-size.ts'
import { history } from './kit/history.ts'
import { runHistory } from './kit/history-run.ts'
import { startHistoryStage } from './kit/history-stage.ts'

/** Over all lanes. */
const HISTORIES = Number(process.env['HISTORIES'] ?? sampleSize({ long: 400, short: 8 }))
const SEED = Number(process.env['SEED'] ?? Date.now() % 2 ** 31)
const LANES_A_DATABASE = 2
const LONGEST_HISTORY_MS = 200_000

const lanes = DATABASES.flatMap((database) => Array.from({ length: LANES_A_DATABASE }, (_, lane) => ({ database, lane })))

/** `SEED=… npm test -- test/faults/history` repeats the same histories; concurrent events may interleave differently. */
describe.concurrent('random histories of three visitors and server faults', () => {
  test.for(lanes)(
    'keep every invariant: histories on $database, lane $lane',
    { timeout: 180_000 + HISTORIES * LONGEST_HISTORY_MS },
    async ({ database, lane }, { expect }) => {
      const seed = SEED + lane
      const numRuns = Math.ceil(HISTORIES / lanes.length)
      console.log(`${numRuns} histories on ${database}, lane ${lane}: SEED=${SEED}`)
      const place = await startHistoryStage(database)
      try {
        const property = fc.asyncProperty(history, async (commands) => {
          expect(await runHistory(place, commands)).toEqual([])
        })
        // No shrinking, because concurrent events would interleave differently.
        await fc.assert(property, { seed, numRuns, endOnFailure: true, verbose: 1 })
      } finally {
        await place.stop()
      }
    },
  )
})
