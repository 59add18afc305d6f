import { setTimeout as pause } from 'node:timers/promises'
import { addedMs } from './support/added-time.ts'
import { Client } from './support/client-jobs.ts'
import { type Figure, milliseconds, withinBound } from './support/measurement.ts'
import { withProcesses } from './support/processes.ts'
import { settingsFor } from './support/setup.ts'
import { modelTarget, parleyTarget } from './support/target.ts'

const FLOODING_VISITORS = 1_000
/** A fifth more than the limits of these visitors allow, at 10 prompts a minute each. */
const FLOOD_PER_SECOND = 200
const SETTLE_MS = 3_000
const WARM_UP_ROUNDS = 1_500
const ROUNDS = 500
const BOUND_MS = 8

/** The default limits for visitors, each with their own /48 behind a proxy. */
const LIMITED = {
  TRUSTED_PROXIES: '127.0.0.1',
  CLIENT_IDS: 'any',
  LIMIT_PROMPTS_PER_MINUTE: '10',
  LIMIT_PROMPTS_PER_DAY: '100',
  LIMIT_RUNNING_TURNS: '2',
}

/** Time that Parley adds before the first word for a regular visitor during a flood. */
export const flood: Figure = {
  name: 'flood',
  measure: () =>
    withProcesses(async (processes) => {
      const model = await processes.model([])
      const parley = await processes.parley({ settings: { ...settingsFor(model), ...LIMITED }, dataDirectory: processes.folder() })
      const straight = modelTarget('model', new URL(model.url).origin)
      // Each visitor sends one prompt, so none reaches a limit.
      const patient = { ...parleyTarget('Parley', parley.url, 'text/event-stream', 'patient'), visitors: 60_000 }
      const flooding = { ...parleyTarget('flood', parley.url, 'text/event-stream', 'flooding'), visitors: FLOODING_VISITORS }
      const client = new Client(processes)
      await client.times({ kind: 'one-after-another', targets: [straight, patient], rounds: WARM_UP_ROUNDS })
      const others = new Client(processes)
      await others.number({ kind: 'start-flood', target: flooding, perSecond: FLOOD_PER_SECOND })
      await pause(SETTLE_MS)
      const samples = await client.times({ kind: 'one-after-another', targets: [straight, patient], rounds: ROUNDS })
      const answered = await others.number({ kind: 'stop-flood' })
      if (answered === 0) throw new Error('The flood did not reach Parley.')
      return [withinBound(`added beside ${FLOODING_VISITORS} visitors, p50`, addedMs(samples, 0.5), BOUND_MS, milliseconds)]
    }),
}
