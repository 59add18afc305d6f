import { createHash } from 'node:crypto'
import { readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { Cron } from 'croner'
import { repeat } from '../../repeat.ts'
import { sourcesDirectoryOf } from '../files/list-source-pages.ts'
import type { Database } from '../../store/engine/database.ts'
import { listSources, recordEnd, type SourceRow } from '../../store/knowledge/sources.ts'
import { mirrorSource, removeMirrors } from './mirror.ts'
import { emptyReport, problemsOf, storedReport, summaryOf } from './run-report.ts'
import { readSourceDefinitions, type SourceDefinition, SOURCES_FILE } from './source-definition.ts'
import { syncSource } from './sync-source.ts'

const MAX_FILE_BYTES = 256 * 1024
const CHECK_INTERVAL_MS = 1_000
/** Installations with the same schedule don't ask the same hosts in the same second. */
const MAX_JITTER_MS = 300_000
/** How often what a first run has read so far is brought into the data folder. */
const FIRST_PARTS_MS = 20_000
/** A source that has never been read is tried again after this time. */
const FIRST_RETRY_MS = 600_000
const PROGRESS_INTERVAL_MS = 10_000

export interface WebsiteSourcesOptions {
  knowledgeDirectory: string
  dataDirectory: string
  database: Database
  /** Name of this process. */
  instance: string
  browserUrl: string | null
  now: () => number
  log: { info: (message: string) => void; warn: (message: string) => void; error: (facts: object, message: string) => void }
  /** Called when pages of a source have changed in the data folder. */
  onChange: () => void
}

/** Keeps the pages of `sources.yaml` up to date, in one process of many, and brings them into this process's data folder. */
export class WebsiteSources {
  readonly #options: WebsiteSourcesOptions
  readonly #stopping = new AbortController()
  definitions: readonly SourceDefinition[] = []
  #mistakes: string[] = []
  #rows: SourceRow[] = []
  /** The file as it was read; `null` if it is missing. */
  #version: string | null | undefined
  #stopChecking = async () => {}
  /** Sources to read out of turn: their definition has changed since the file was first read, or staff ask for it. */
  readonly #edited = new Set<string>()
  /** Sources that this process has begun to read. */
  readonly #begun = new Set<string>()
  /** Number of the snapshot whose pages this process has found or put in the data folder. */
  readonly #mirrored = new Map<string, number | null>()
  /** When more pages of a first run are brought, by `performance.now()`. */
  #nextPartAt = 0
  #running: Promise<void> | null = null
  #progress: string | null = null

  constructor(options: WebsiteSourcesOptions) {
    this.#options = options
  }

  /** Syncs websites when they are due, until `close`. */
  start(): void {
    const onFailure = (err: unknown) =>
      this.#options.log.error({ err }, 'Checking which websites are due failed; trying again at the next check')
    this.#stopChecking = repeat(() => this.#check(), { intervalMs: CHECK_INTERVAL_MS, onFailure })
  }

  /** Problems for staff, in sentences. */
  get problems(): string[] {
    const ids = new Set(this.definitions.map(({ id }) => id))
    const problems = this.#rows.filter(({ id }) => ids.has(id)).flatMap((row) => problemsOf(row))
    return [
      ...this.#mistakes.map((mistake) => `${SOURCES_FILE}, ${mistake}`),
      ...problems,
      ...(this.#progress === null ? [] : [this.#progress]),
    ]
  }

  /** Reads a source at the next check, or after the run that goes on. `false` if the file doesn't name it. */
  request(id: string): boolean {
    if (!this.definitions.some((definition) => definition.id === id)) return false
    this.#edited.add(id)
    return true
  }

  /** Ends a run; the next start goes on with it. */
  async close(): Promise<void> {
    this.#stopping.abort()
    await this.#stopChecking()
    await this.#running
  }

  async #check(): Promise<void> {
    const { database, dataDirectory, onChange } = this.#options
    const isReadable = await this.#readFile()
    if (this.definitions.length === 0 && this.#rows.length === 0 && !isReadable) return
    const ids = new Set(this.definitions.map(({ id }) => id))
    // A run that ends during this check would seem to go on, and start again.
    const wasRunning = this.#running !== null
    this.#rows = this.definitions.length === 0 ? [] : await listSources(database)
    const directory = sourcesDirectoryOf(dataDirectory)
    let isChanged = isReadable && (await removeMirrors(directory, ids))
    for (const id of this.#mirrored.keys()) if (!ids.has(id)) this.#mirrored.delete(id)
    for (const row of this.#rows) {
      if (!ids.has(row.id) || !this.#mayDiffer(row)) continue
      if (!(await mirrorSource(database, row, directory))) continue
      isChanged = true
      this.#mirrored.set(row.id, row.active)
    }
    if (isChanged) onChange()
    for (const row of this.#rows) await this.#endCrashed(row)
    const startedAt = (id: string) => this.#rows.find((row) => row.id === id)?.started_at ?? 0
    const [due] = this.definitions
      .filter((definition) => this.#isDue(definition))
      .toSorted((one, other) => startedAt(one.id) - startedAt(other.id))
    if (due && !wasRunning && !this.#stopping.signal.aborted) this.#running = this.#run(due).finally(() => (this.#running = null))
  }

  /** Whether the data folder may lack pages. During the first run, they arrive in batches. */
  #mayDiffer({ id, active, holder }: SourceRow): boolean {
    if (active !== null) return this.#mirrored.get(id) !== active
    if (holder === null || performance.now() < this.#nextPartAt) return false
    this.#nextPartAt = performance.now() + FIRST_PARTS_MS
    return true
  }

  /** Returns whether the sources are known: a file with broken syntax leaves them as they were. */
  async #readFile(): Promise<boolean> {
    const { knowledgeDirectory, log } = this.#options
    const path = join(knowledgeDirectory, SOURCES_FILE)
    const found = await stat(path).catch(() => null)
    const version = found && `${found.mtimeMs} ${found.size} ${found.ino}`
    if (version === this.#version) return this.#mistakes.length === 0
    const isFirst = this.#version === undefined
    this.#version = version
    if (!found) {
      this.definitions = []
      this.#mistakes = []
      return true
    }
    const text = found.size > MAX_FILE_BYTES ? null : await readFile(path, 'utf8').catch(() => null)
    const { sources, mistakes, isReadable } =
      text === null ? { sources: [], mistakes: ['line 1: it cannot be read.'], isReadable: false } : readSourceDefinitions(text)
    this.#mistakes = mistakes
    for (const mistake of mistakes) log.warn(`${SOURCES_FILE}, ${mistake}`)
    const before = new Map(this.definitions.map((definition) => [definition.id, JSON.stringify(definition)]))
    if (!isFirst) for (const source of sources) if (before.get(source.id) !== JSON.stringify(source)) this.#edited.add(source.id)
    if (isReadable) this.definitions = sources
    return isReadable && mistakes.length === 0
  }

  /** Ends a run whose process has ended, so that it isn't started again by itself and ends the next process too. */
  async #endCrashed(row: SourceRow): Promise<void> {
    const { id, holder, lease_until: until, started_at: startedAt, ended_at: endedAt, report } = row
    const { database, instance, now, log } = this.#options
    // This process is there still, whatever has become of a run that it began.
    const isOver = holder === instance ? !this.#begun.has(id) : until <= now()
    if (holder === null || !isOver || (startedAt ?? 0) <= (endedAt ?? 0)) return
    const reason = `The last run ended the process that read it, and is not started again by itself: parley knowledge sync ${id}`
    const crashed = { ...emptyReport(), outcome: 'crashed' as const, reason, pages: storedReport(report)?.pages ?? 0 }
    const ended = { holder: null, lease_until: 0, ended_at: now(), report: JSON.stringify(crashed) }
    await recordEnd(database, id, { holder, now: ended.ended_at, report: ended.report })
    Object.assign(row, ended)
    log.warn(`source:${id}: ${reason}`)
  }

  #isDue({ id, every, timezone }: SourceDefinition): boolean {
    const row = this.#rows.find((one) => one.id === id)
    const { now: clock, instance } = this.#options
    const now = clock()
    if (!this.#edited.has(id) && row && storedReport(row.report)?.outcome === 'crashed') return false
    if (row && row.holder !== null && row.holder !== instance && row.lease_until > now) return false
    // Never read, a run that did not come to its end, or one by another definition.
    if (!row || row.started_at === null || row.started_at > (row.ended_at ?? 0) || this.#edited.has(id)) return true
    if (row.active === null && now - (row.ended_at ?? 0) > FIRST_RETRY_MS) return true
    if (every === undefined) return false
    const next = new Cron(every, { timezone, paused: true, mode: '5-part' }).nextRun(new Date(row.started_at))
    return next !== null && next.getTime() + jitterOf(id, next) <= now
  }

  async #run(definition: SourceDefinition): Promise<void> {
    const { database, instance, browserUrl, now, log } = this.#options
    const name = `source:${definition.id}`
    this.#edited.delete(definition.id)
    this.#begun.add(definition.id)
    const isFirst = this.#rows.every(({ id, active }) => id !== definition.id || active === null)
    let loggedAt = performance.now()
    try {
      const report = await syncSource({
        database,
        definition,
        holder: instance,
        browserUrl,
        signal: this.#stopping.signal,
        now,
        onProgress: ({ requests }, waiting) => {
          if (isFirst) this.#progress = `${name}: is being read for the first time, ${requests} requests so far, ${waiting} pages wait.`
          if (performance.now() - loggedAt < PROGRESS_INTERVAL_MS) return
          loggedAt = performance.now()
          log.info(`${name}: ${requests} requests so far, ${waiting} pages wait`)
        },
      })
      if (!report) return
      const line = `${name}: ${summaryOf(report)}`
      if (report.outcome === 'done' && report.counts.held === 0) log.info(line)
      else log.warn(line)
    } catch (err) {
      log.error({ err }, `Reading ${name} failed; trying again`)
    } finally {
      this.#progress = null
    }
  }
}

function jitterOf(id: string, time: Date): number {
  return createHash('sha256').update(`${id} ${time.getTime()}`).digest().readUInt32BE() % MAX_JITTER_MS
}
