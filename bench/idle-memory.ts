import { setTimeout as pause } from 'node:timers/promises'
import { Client } from './support/client-jobs.ts'
import { type Figure, megabytes, recorded, withinBound } from './support/measurement.ts'
import { residentMegabytes, withProcesses } from './support/processes.ts'
import { parleyTarget } from './support/target.ts'

const BOUND_MB = 120
const PROMPTS = 200
const TOGETHER = 50
const IDLE_MS = 15_000
const SETTLE_MS = 2_000

/** Resident memory of the server with the built-in model while idle: after its start, and after 200 prompts. */
export const idleMemory: Figure = {
  name: 'idle-memory',
  measure: () =>
    withProcesses(async (processes) => {
      const parley = await processes.parley({ dataDirectory: processes.folder() })
      await pause(SETTLE_MS)
      const atStart = residentMegabytes(parley.pid)
      await new Client(processes).number({
        kind: 'in-turn',
        target: parleyTarget('Parley', parley.url),
        together: TOGETHER,
        total: PROMPTS,
      })
      await pause(IDLE_MS)
      return [
        withinBound('resident memory, idle after the start', atStart, BOUND_MB, megabytes),
        recorded(`the same, after ${PROMPTS} prompts`, residentMegabytes(parley.pid), megabytes),
      ]
    }),
}
