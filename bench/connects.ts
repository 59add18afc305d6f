import { setTimeout as pause } from 'node:timers/promises'
import { INSPECTED, inspect, type Holdings } from '../test/faults/kit/inspector.ts'
import { type Figure, withinBound } from './support/measurement.ts'
import { withStreams } from './support/streams.ts'

const CONNECTS = 100_000
const WARM_UP = 5_000
/** Connections per turn, because a turn lasts at most two minutes. */
const CONNECTS_A_TURN = 10_000
const TOGETHER = 50
const SETTLE_MS = 5_000
const ALLOWED = 1.05
const BYTES_IN_MB = 1_000_000

const rounded = (value: number) => String(Math.floor(value))

const WHAT: [keyof Holdings, string, (value: number) => string][] = [
  ['heapBytes', 'live heap', (bytes) => `${(bytes / BYTES_IN_MB).toFixed(1)} MB`],
  ['timers', 'timers', rounded],
  ['listeners', 'listeners', rounded],
  ['descriptors', 'open descriptors', rounded],
]

/** Memory growth after 100,000 readers have connected and disconnected, half following turns, half the session events. */
export const connects: Figure = {
  name: 'connects',
  measure: () =>
    withStreams(INSPECTED, async ({ server, open, quietTurn }) => {
      const inspector = await inspect(server)
      const comeAndGo = async (streams: number) => {
        const { path, end } = await quietTurn()
        for (const part of [path, '/api/v1/me/events']) await open({ path: part, streams: streams / 2, together: TOGETHER, keep: false })
        await end()
      }
      const atRest = async () => {
        await pause(SETTLE_MS)
        return inspector.holdings()
      }
      await comeAndGo(WARM_UP)
      const before = await atRest()
      for (let made = 0; made < CONNECTS; made += CONNECTS_A_TURN) await comeAndGo(CONNECTS_A_TURN)
      const after = await atRest()
      inspector.close()
      const figure = (words: string) => `${words} after ${CONNECTS.toLocaleString('en')} connects and disconnects`
      return WHAT.map(([name, words, format]) => withinBound(figure(words), after[name], before[name] * ALLOWED, format))
    }),
}
