import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as pause } from 'node:timers/promises'
import { SERVER_ARGUMENTS } from '../scripts/server-command.mjs'
import type { RunReport } from '../src/server/knowledge/websites/run-report.ts'
import { Client } from './support/client-jobs.ts'
import { writeCorpus } from './support/knowledge-corpus.ts'
import { relativeTo, count, type Figure, type Measurement, megabytes, milliseconds, seconds, withinBound } from './support/measurement.ts'
import { type Processes, withProcesses } from './support/processes.ts'
import { settingsFor } from './support/setup.ts'
import { median } from './support/statistics.ts'
import { modelTarget, parleyTarget } from './support/target.ts'

/** `BENCH_PAGES=500` makes a smaller website. */
const PAGES = Number(process.env['BENCH_PAGES'] ?? 5_000)
const CHANGED = Math.ceil(PAGES / 100)
const GONE = Math.ceil(PAGES / 50)
/** robots.txt and the sitemap. */
const OTHER_REQUESTS = 2
const UNCHANGED_LIMIT_S = 60
const WARM_UP_ROUNDS = 600
const ROUNDS = 600
const ALLOWED_FIRST_TOKEN = 1.2
const ALLOWED_MEMORY_MB = 40
const POLL_MS = 200

interface Place {
  site: string
  knowledge: string
  data: string
}

/** Reading a website of 5,000 pages for the first time, unchanged, changed by 1 % and without 2 %, and visitors meanwhile. */
export const website: Figure = {
  name: 'website',
  measure: () =>
    withProcesses(async (processes) => {
      const folder = processes.folder()
      const { megabytes: size } = writeCorpus(folder, 0, PAGES)
      const site = (await processes.site(folder)).url
      const place = placeIn(processes, site, 0)
      await processes.parley({ settings: { KNOWLEDGE_DIR: place.knowledge }, dataDirectory: place.data })
      const first = await ended(place, 0)
      const unchanged = await synced(place)
      for (let page = 0; page < CHANGED; page += 1) change(join(folder, `${page}.html`))
      const changed = await synced(place)
      for (let page = PAGES - GONE; page < PAGES; page += 1) rmSync(join(folder, `${page}.html`))
      const gone = await synced(place)
      const pages = `${PAGES.toLocaleString('en')} pages (${size.toFixed(0)} MB)`
      return [
        withinBound(`requests to read ${pages} for the first time`, first.report.requests, PAGES + OTHER_REQUESTS, count),
        withinBound('requests when nothing has changed, each conditional', unchanged.report.requests, PAGES + OTHER_REQUESTS, count),
        withinBound('pages indexed then', unchanged.report.counts.changed + unchanged.report.counts.new, 0, count),
        withinBound('its duration', unchanged.elapsedMs / 1000, UNCHANGED_LIMIT_S, seconds),
        withinBound('pages indexed when 1 % has changed', changed.report.counts.changed + changed.report.counts.new, CHANGED, count),
        withinBound('pages that answer when 2 % is gone', gone.report.pages, PAGES - GONE, count),
        ...(await measureVisitors(processes, site)),
      ]
    }),
}

/** The same prompts to a server that reads the website for the first time, with the default delay, and to one that has none. */
async function measureVisitors(processes: Processes, site: string): Promise<Measurement[]> {
  const model = await processes.model([])
  const place = placeIn(processes, site, 0.5)
  const start = (settings: Record<string, string>, dataDirectory: string) =>
    processes.parley({ settings: { ...settingsFor(model), ...settings }, dataDirectory })
  const without = await start({ KNOWLEDGE_DIR: placeIn(processes, null, 0).knowledge }, processes.folder())
  const reading = await start({ KNOWLEDGE_DIR: place.knowledge }, place.data)
  const targets = [
    modelTarget('model', new URL(model.url).origin),
    parleyTarget('without', without.url),
    parleyTarget('reading', reading.url),
  ]
  const client = new Client(processes)
  await client.times({ kind: 'one-after-another', targets, rounds: WARM_UP_ROUNDS })
  const [straight = [], alone = [], during = []] = await client.times({ kind: 'one-after-another', targets, rounds: ROUNDS })
  const added = (samples: number[]) => median(samples) - median(straight)
  const more = (residentBytes(reading.pid) - residentBytes(without.pid)) / 1e6
  return [
    relativeTo(
      'added time to first token while it is read',
      added(during),
      { name: 'no website', value: added(alone) },
      milliseconds,
      ALLOWED_FIRST_TOKEN,
    ),
    withinBound('resident memory of the server meanwhile, more than without', Math.max(0, more), ALLOWED_MEMORY_MB, megabytes),
  ]
}

function placeIn(processes: Processes, site: string | null, delay: number): Place {
  const [knowledge, data] = [processes.folder(), processes.folder()]
  mkdirSync(knowledge, { recursive: true })
  const source = `sources:\n  - { id: site, website: '${site}/sitemap.xml', network: private, delay: ${delay}, limits: { pages: 20000 } }\n`
  if (site !== null) writeFileSync(join(knowledge, 'sources.yaml'), source)
  return { site: site ?? '', knowledge, data }
}

interface Ended {
  report: RunReport
  endedAt: number
}

/** Waits for a run that ends after `since`. */
async function ended({ data }: Place, since: number): Promise<Ended> {
  for (;;) {
    const database = new DatabaseSync(join(data, 'parley.db'), { readOnly: true, timeout: 5_000 })
    const row = database.prepare('select ended_at, report from sources').get() as { ended_at: number | null; report: string } | undefined
    database.close()
    if (row && row.ended_at !== null && row.ended_at > since) return { report: JSON.parse(row.report) as RunReport, endedAt: row.ended_at }
    await pause(POLL_MS)
  }
}

/** Reads the website by command, beside the server. */
async function synced(place: Place): Promise<Ended & { elapsedMs: number }> {
  const env = { PATH: process.env['PATH'] ?? '', DATA_DIR: place.data, KNOWLEDGE_DIR: place.knowledge }
  const startedAt = Date.now()
  const child = spawn(process.execPath, [...SERVER_ARGUMENTS, 'knowledge', 'sync', 'site'], { env, stdio: 'ignore' })
  await once(child, 'exit')
  const run = await ended(place, startedAt)
  return { ...run, elapsedMs: run.endedAt - startedAt }
}

function change(path: string): void {
  writeFileSync(path, readFileSync(path, 'utf8').replaceAll('</p>', ' This sentence is new.</p>'))
}

function residentBytes(pid: number): number {
  return Number(readFileSync(`/proc/${pid}/statm`, 'utf8').split(' ')[1]) * 4_096
}
