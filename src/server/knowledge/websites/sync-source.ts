import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ParserProcess } from '../../parsing/parser-process.ts'
import { addSource, leaseSource, recordEnd, updateSource } from '../../store/knowledge/sources.ts'
import type { ReadingRequest, ReadResult } from './reading/page-reader.ts'
import type { RunReport } from './run-report.ts'
import { SourceRun, type SourceRunOptions } from './source-run.ts'

/** How long a source stays with a process that has died. */
const LEASE_MS = 60_000
const RENEWAL_MS = 15_000
const PROGRAM = new URL('./reading/run-page-reader.ts', import.meta.url)
const LIMITS = { timeMs: 60_000, residentBytes: 512 * 1024 * 1024 }

/** A run goes on later, so that a slow site doesn't keep others waiting. */
const MAX_RUN_MS = 6 * 3_600_000

export interface SyncOptions extends Omit<SourceRunOptions, 'directory' | 'reader'> {
  /** Name of this process. */
  holder: string
}

export function newPageReader(): ParserProcess<ReadingRequest, ReadResult> {
  return new ParserProcess({ url: PROGRAM, ...LIMITS })
}

/** Reads a website once. Resolves with `null` if another process is reading it. Rejects with faults of the database. */
export async function syncSource(options: SyncOptions): Promise<RunReport | null> {
  const { database, definition, holder, signal, now } = options
  const { id } = definition
  await addSource(database, id)
  const lease = () => leaseSource(database, id, { holder, now: now(), durationMs: LEASE_MS })
  if (!(await lease())) return null
  await updateSource(database, id, { started_at: now() })
  const stopping = new AbortController()
  const renewal = setInterval(() => {
    lease().then(
      (isOurs) => isOurs || stopping.abort(),
      () => stopping.abort(),
    )
  }, RENEWAL_MS)
  const directory = await mkdtemp(join(tmpdir(), 'parley-source-'))
  const reader = newPageReader()
  const within = AbortSignal.any([signal, stopping.signal, AbortSignal.timeout(MAX_RUN_MS)])
  const run = new SourceRun({ ...options, directory, reader, signal: within })
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
