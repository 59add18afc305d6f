import { setTimeout as pause } from 'node:timers/promises'
import { type Figure, kilobytes, withinBound } from './support/measurement.ts'
import { residentMegabytes } from './support/processes.ts'
import { withStreams } from './support/streams.ts'

const FOLLOWERS = 10_000
const WARM_UP = 500
const TOGETHER = 50
const SETTLE_MS = 3_000
const BOUND_KB = 40
const KB_IN_MB = 1_000

/** Resident memory per reader, with 10,000 readers of a nearly silent turn. */
export const idleFollowers: Figure = {
  name: 'idle-followers',
  measure: () =>
    withStreams({}, async ({ server, open, quietTurn }) => {
      const { path } = await quietTurn()
      await open({ path, streams: WARM_UP, together: TOGETHER, keep: false })
      await pause(SETTLE_MS)
      const before = residentMegabytes(server.pid)
      await open({ path, streams: FOLLOWERS, together: TOGETHER, keep: true })
      await pause(SETTLE_MS)
      const each = ((residentMegabytes(server.pid) - before) * KB_IN_MB) / FOLLOWERS
      return [withinBound('resident memory for each of 10,000 idle followers', each, BOUND_KB, kilobytes)]
    }),
}
