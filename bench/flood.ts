import { setTimeout as pause } from 'node:timers/promises'
import { Client } from './support/client-jobs.ts'
import { againstRival, type Figure, milliseconds } from './support/measurement.ts'
import { withProcesses } from './support/processes.ts'
import { settingsFor } from './support/rivals.ts'
import { median } from './support/statistics.ts'
import { modelTarget, parleyTarget, type Target } from './support/target.ts'

const FLOODING_VISITORS = 1_000
/** A fifth more than the limits of these visitors allow, at 10 prompts a minute each. */
const FLOOD_PER_SECOND = 200
const SETTLE_MS = 3_000
const WARM_UP_ROUNDS = 1_500
const ROUNDS = 500
const ALLOWED = 2

/** The default limits for visitors, each with their own /48 behind a proxy. */
const LIMITED = {
  TRUSTED_PROXIES: '127.0.0.1',
  CLIENT_IDS: 'any',
  LIMIT_PROMPTS_PER_MINUTE: '10',
  LIMIT_PROMPTS_PER_DAY: '100',
  LIMIT_RUNNING_TURNS: '2',
}

/** Added time to first token of a regular visitor during a flood, compared with no flood. */
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
      const alone = await addedMs(client, [straight, patient])
      const others = new Client(processes)
      await others.number({ kind: 'start-flood', target: flooding, perSecond: FLOOD_PER_SECOND })
      await pause(SETTLE_MS)
      const beside = await addedMs(client, [straight, patient])
      const answered = await others.number({ kind: 'stop-flood' })
      if (answered === 0) throw new Error('The flood did not reach Parley.')
      const rival = { name: 'alone', value: alone }
      return [againstRival(`added time to first token beside ${FLOODING_VISITORS} visitors`, beside, rival, milliseconds, ALLOWED)]
    }),
}

async function addedMs(client: Client, targets: Target[]): Promise<number> {
  const [straight = [], throughParley = []] = await client.times({ kind: 'one-after-another', targets, rounds: ROUNDS })
  return median(throughParley) - median(straight)
}
