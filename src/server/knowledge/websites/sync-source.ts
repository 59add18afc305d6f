import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ParserProcess } from '../../parsing/parser-process.ts'
import type { Database } from '../../store/engine/database.ts'
import { addSource, leaseSource, recordEnd, recordStart } from '../../store/knowledge/sources.ts'
import type { ReadingRequest, ReadResult } from './page-reader.ts'
import type { RunReport } from './run-report.ts'
import { SourceRun, type SourceRunOptions } from './source-run.ts'
import type { SourceDefinition } from './source-definition.ts'

/** How long a source stays with a process that has died. */
const LEASE_MS = 60_000
const RENEWAL_MS = 15_000
const PROGRAM = new URL('./run-page-reader.ts', import.meta.url)
const LIMITS = { timeMs: 60_000, residentBytes: 512 * 1024 * 1024 }

export interface SyncOptions extends Pick<SourceRunOptions, 'now' | 'onProgress' | 'wait'> {
  database: Database
  definition: SourceDefinition
  /** Name of this process. */
  holder: string
  signal: AbortSignal
}

/** Reads a website once. Resolves with `null` if another process is reading it. Rejects with faults of the database. */
export async function syncSource({ database, definition, holder, signal, now, onProgress, wait }: SyncOptions): Promise<RunReport | null> {
  const { id } = definition
  await addSource(database, id)
  const lease = () => leaseSource(database, id, { holder, now: now(), durationMs: LEASE_MS })
  if (!(await lease())) return null
  await recordStart(database, id, now())
  const stopping = new AbortController()
  const renewal = setInterval(() => {
    lease().then(
      (isOurs) => isOurs || stopping.abort(),
      () => stopping.abort(),
    )
  }, RENEWAL_MS)
  const directory = await mkdtemp(join(tmpdir(), 'parley-source-'))
  const reader = new ParserProcess<ReadingRequest, ReadResult>({ url: PROGRAM, ...LIMITS })
  const within = AbortSignal.any([signal, stopping.signal])
  const run = new SourceRun({ database, definition, directory, reader, now, onProgress, wait, signal: within })
  try {
    const report = await run.run()
    await recordEnd(database, id, { holder, now: now(), report: JSON.stringify(report) })
    return report
  } catch (error) {
    if (!within.aborted) throw error
    await recordEnd(database, id, { holder, now: now(), report: null })
    return { ...run.report, outcome: 'interrupted' }
  } finally {
    clearInterval(renewal)
    reader.close()
    await rm(directory, { recursive: true, force: true })
  }
}
