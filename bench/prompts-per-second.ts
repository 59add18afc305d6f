import { Client } from './support/client-jobs.ts'
import { type Figure, recorded } from './support/measurement.ts'
import { withProcesses } from './support/processes.ts'
import { parleyWithModel } from './support/setup.ts'
import { parleyTarget } from './support/target.ts'

const TOGETHER = 20
const WARM_UP_PROMPTS = 500
const PROMPTS = 2_000

/** Whole prompts per second with a model that answers immediately. */
export const promptsPerSecond: Figure = {
  name: 'prompts-per-second',
  measure: () =>
    withProcesses(async (processes) => {
      const parley = await parleyWithModel(processes)
      const target = parleyTarget('Parley', parley.url, 'application/json')
      const client = new Client(processes)
      await client.number({ kind: 'in-turn', target, together: TOGETHER, total: WARM_UP_PROMPTS })
      const elapsedMs = await client.number({ kind: 'in-turn', target, together: TOGETHER, total: PROMPTS })
      return [recorded('prompts per second, instant model', (PROMPTS * 1000) / elapsedMs, (value) => `${value.toFixed(0)} /s`)]
    }),
}
