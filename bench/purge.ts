import { copyFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { Client } from './support/client-jobs.ts'
import { relativeTo, count, type Figure, type Measurement, milliseconds, reachesBound } from './support/measurement.ts'
import { type Running, withProcesses } from './support/processes.ts'
import { settingsFor } from './support/setup.ts'
import { mean, quantile } from './support/statistics.ts'
import { storeChats } from './support/stored-chats.ts'
import { parleyTarget } from './support/target.ts'

/** `BENCH_CHATS=50000` makes a smaller database. */
const CHATS = Number(process.env['BENCH_CHATS'] ?? 1_000_000)
const RETENTION_DAYS = 30
/** So long that nothing expires. */
const ENDLESS_DAYS = 3650
const NAMES = ['without', 'during'] as const
const WARM_UP_PROMPTS = 300
const PAIRS = 30
const PROMPTS = 100
const ALLOWED = 1.5
const TEN_MINUTES_MS = 10 * 60 * 1000
const EXPIRED_IN_TEN_MINUTES = 100_000
const DAY_MS = 24 * 60 * 60 * 1000

/** Prompts while half of the chats are purged, compared with the same database where none has expired, and the speed of the purge. */
export const purge: Figure = {
  name: 'purge',
  measure: () =>
    withProcesses(async (processes) => {
      const folders = { during: processes.folder(), without: processes.folder() }
      const now = Date.now()
      await storeChats(folders.during, CHATS, now)
      copyFileSync(join(folders.during, 'parley.db'), join(folders.without, 'parley.db'))
      const model = await processes.model([])
      const start = (dataDirectory: string, days: number) =>
        processes.parley({ settings: { ...settingsFor(model), RETENTION_DAYS: String(days) }, dataDirectory })
      const servers = { during: await start(folders.during, RETENTION_DAYS), without: await start(folders.without, ENDLESS_DAYS) }
      const countExpired = () => countSessions(folders.during, now - RETENTION_DAYS * DAY_MS)
      try {
        return await measurePairs(new Client(processes), servers, countExpired)
      } finally {
        for (const server of Object.values(servers)) process.kill(server.pid, 'SIGCONT')
      }
    }),
}

type Servers = Record<'during' | 'without', Running>

/** Sends prompts to both in turn; the other one is halted meanwhile, so that it takes nothing of the machine. */
async function measurePairs(client: Client, servers: Servers, countExpired: () => number): Promise<Measurement[]> {
  const send = async (name: keyof Servers, prompts: number) => {
    process.kill(servers[name].pid, 'SIGCONT')
    const startedAt = performance.now()
    const target = parleyTarget(name, servers[name].url, 'application/json')
    const [samples = []] = await client.times({ kind: 'one-after-another', targets: [target], rounds: prompts })
    const elapsedMs = performance.now() - startedAt
    process.kill(servers[name].pid, 'SIGSTOP')
    return { samples, elapsedMs }
  }
  process.kill(servers.during.pid, 'SIGSTOP')
  for (const name of NAMES) await send(name, WARM_UP_PROMPTS)
  const before = countExpired()
  const times: Record<keyof Servers, number[]> = { during: [], without: [] }
  let purgedMs = 0
  for (let pair = 0; pair < PAIRS; pair += 1) {
    for (const name of pair % 2 === 0 ? NAMES : NAMES.toReversed()) {
      const { samples, elapsedMs } = await send(name, PROMPTS)
      times[name].push(...samples)
      if (name === 'during') purgedMs += elapsedMs
    }
    if (countExpired() === 0) throw new Error('The purge ended before it was measured: use more chats.')
  }
  return figuresOf(times, Math.round(((before - countExpired()) / purgedMs) * TEN_MINUTES_MS))
}

function figuresOf({ during, without }: Record<keyof Servers, number[]>, purged: number): Measurement[] {
  const compared = (name: string, of: (samples: number[]) => number, allowed: number | null = ALLOWED) =>
    relativeTo(
      `a prompt during the purge of ${CHATS / 2} chats, ${name}`,
      of(during),
      { name: 'without', value: of(without) },
      milliseconds,
      allowed,
    )
  return [
    compared('median', (samples) => quantile(samples, 0.5)),
    compared('mean', mean),
    compared('p95', (samples) => quantile(samples, 0.95)),
    compared('p99', (samples) => quantile(samples, 0.99), null),
    reachesBound('expired chats deleted in ten minutes meanwhile', purged, EXPIRED_IN_TEN_MINUTES, count),
  ]
}

function countSessions(directory: string, before: number): number {
  const database = new DatabaseSync(join(directory, 'parley.db'), { readOnly: true })
  try {
    return Number(database.prepare('select count(*) as count from sessions where updated_at < ?').get(before)?.['count'])
  } finally {
    database.close()
  }
}
