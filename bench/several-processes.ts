import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { withConstants } from '../scripts/constants.mjs'
import { startCluster } from '../test/support/postgres-cluster.ts'
import { createDatabase } from '../test/support/postgres.ts'
import { startRedis } from '../test/support/redis.ts'
import { Client } from './support/client-jobs.ts'
import { type Figure, milliseconds, recorded, relativeTo } from './support/measurement.ts'
import { cpuTimeMs, type Processes, type Running, withProcesses } from './support/processes.ts'
import { settingsFor } from './support/setup.ts'
import { parleyTarget } from './support/target.ts'

const PROCESSES = 4
const TOGETHER = 20
const WARM_UP_PROMPTS = 1_000
const PROMPTS = 2_000
const VISITORS = 1_000
const ALLOWED = 1.6

/** Processor time of a prompt with four processes on one PostgreSQL and Redis, compared with one, with a budget. */
export const severalProcesses: Figure = {
  name: 'several-processes',
  async measure() {
    const [postgres, redis] = await Promise.all([startCluster(), startRedis()])
    try {
      return await withProcesses(async (processes) => {
        const model = await processes.model([])
        const start = async (count: number) => {
          const { url } = await createDatabase(postgres.url)
          const folder = processes.folder()
          mkdirSync(join(folder, 'ledger'))
          const shared = { DATABASE_URL: url, REDIS_URL: redis.url, ERASURE_LEDGER: join(folder, 'ledger'), INSTALLATION_KEY }
          const paid = { PRICES: 'scripted=1/1', BUDGET_PER_DAY: '1000000', BUDGET_PER_MONTH: '1000000' }
          const settings = { ...settingsFor(model), ...shared, ...paid, ...withConstants({ databaseTimeoutMs: 20_000 }) }
          return Promise.all(Array.from({ length: count }, () => processes.parley({ settings, dataDirectory: processes.folder() })))
        }
        const one = await load(processes, await start(1))
        const four = await load(processes, await start(PROCESSES))
        const base = { name: 'one process', value: one.cpuMs }
        return [
          relativeTo(`processor time a prompt, ${PROCESSES} processes`, four.cpuMs, base, milliseconds, ALLOWED),
          recorded(`prompts a second, ${PROCESSES} processes`, four.perSecond, (value) => `${value.toFixed(0)} /s`),
          recorded('prompts a second, one process', one.perSecond, (value) => `${value.toFixed(0)} /s`),
        ]
      })
    } finally {
      await Promise.all([postgres.stop(), redis.kill()])
    }
  },
}

const INSTALLATION_KEY = 'bench-3f9c1a7e5b2d8046-c7e1f0a9d3b85624'

/** Sends the prompts, in equal parts to each process, and ends the processes. */
async function load(processes: Processes, servers: readonly Running[]) {
  const jobs = servers.map((server) => {
    const target = { ...parleyTarget('Parley', server.url, 'application/json'), visitors: VISITORS }
    const client = new Client(processes)
    const part = (total: number) => Math.ceil(total / servers.length)
    return (total: number) => client.number({ kind: 'in-turn', target, together: part(TOGETHER), total: part(total) })
  })
  const cpu = () => servers.reduce((sum, { pid }) => sum + cpuTimeMs(pid), 0)
  await Promise.all(jobs.map((send) => send(WARM_UP_PROMPTS)))
  const [before, startedAt] = [cpu(), performance.now()]
  await Promise.all(jobs.map((send) => send(PROMPTS)))
  const figures = { cpuMs: (cpu() - before) / PROMPTS, perSecond: (PROMPTS * 1_000) / (performance.now() - startedAt) }
  for (const server of servers) await processes.stop(server)
  return figures
}
