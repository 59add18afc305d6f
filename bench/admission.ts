import { readSettings } from '../src/server/config/config.ts'
import { Guard } from '../src/server/limits/guard.ts'
import { FairQueue } from '../src/server/limits/fair-queue.ts'
import { openDatabase } from '../src/server/store/open-database.ts'
import { Client } from './support/client-jobs.ts'
import { againstRival, type Figure, microseconds } from './support/measurement.ts'
import { cpuTimeMs, withProcesses } from './support/processes.ts'
import { parleyWithModel } from './support/rivals.ts'
import { parleyTarget } from './support/target.ts'

const WARM_UP_PROMPTS = 1_000
const PROMPTS = 2_000
const TOGETHER = 20
/** Share of the CPU time of a whole prompt. */
const ALLOWED_SHARE = 0.2

/** CPU time of admitting a prompt: counting quotas in the database, acquiring slots, passing the queue, and releasing all of it. */
export const admission: Figure = {
  name: 'admission',
  measure: () =>
    withProcesses(async (processes) => {
      const parley = await parleyWithModel(processes)
      const target = parleyTarget('Parley', parley.url, 'application/json')
      const client = new Client(processes)
      await client.number({ kind: 'in-turn', target, together: TOGETHER, total: WARM_UP_PROMPTS })
      const before = cpuTimeMs(parley.pid)
      await client.number({ kind: 'in-turn', target, together: TOGETHER, total: PROMPTS })
      const whole = ((cpuTimeMs(parley.pid) - before) * 1000) / PROMPTS
      const ours = await microsecondsPerAdmission(processes.folder())
      return [againstRival('CPU of admitting a prompt', ours, { name: 'whole prompt', value: whole }, microseconds, ALLOWED_SHARE)]
    }),
}

async function microsecondsPerAdmission(directory: string): Promise<number> {
  const onFault = (message: string, cause: unknown) => {
    throw new Error(message, { cause })
  }
  const unlimited = Object.fromEntries(
    ['PROMPTS_PER_MINUTE', 'PROMPTS_PER_DAY', 'NETWORK_PROMPTS_PER_MINUTE', 'NETWORK_PROMPTS_PER_DAY'].map((name) => [
      `LIMIT_${name}`,
      '1000000000',
    ]),
  )
  const { limits, budgets } = readSettings(unlimited)
  const values = { limits, budgets }
  const database = await openDatabase({ kind: 'sqlite', directory }, (error) => onFault('The database broke', error))
  const now = () => performance.now()
  const queue = new FairQueue({ maxRunning: 200, maxPending: 200, maxWaitMs: 10_000, isSlow: () => false, now })
  const prices = { of: () => ({ input: 1, output: 1 }), fallback: null }
  const guard = new Guard({
    database,
    values: () => values,
    queue,
    prices,
    proof: null,
    exemptsLoopback: true,
    isModerated: false,
    now: Date.now,
    onFault,
  })
  const { signal } = new AbortController()
  const admit = async () => {
    const sending = { promptTokens: 10, isBrowser: true, solved: undefined }
    const outcome = await guard.admitPrompt({ principal: 'bench', address: '2001:db8::1' }, sending)
    if (outcome.kind === 'rejected' || (await outcome.enter({ gone: () => signal })) !== 'entered')
      throw new Error('A prompt was rejected.')
    if (await outcome.count.stored(database)) throw new Error('A prompt was over a limit.')
    outcome.end()
  }
  for (let prompt = 0; prompt < WARM_UP_PROMPTS; prompt += 1) await admit()
  const before = process.cpuUsage()
  for (let prompt = 0; prompt < PROMPTS; prompt += 1) await admit()
  const { user, system } = process.cpuUsage(before)
  await database.destroy()
  return (user + system) / PROMPTS
}
