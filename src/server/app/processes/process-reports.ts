import { hostname } from 'node:os'
import { repeat } from '../../repeat.ts'
import type { Database } from '../../store/engine/database.ts'
import { deleteProcessReport, deleteSilentReports, type ProcessReport, writeProcessReport } from '../../store/turns/process-reports.ts'

const INTERVAL_MS = 10_000

interface ReportOptions {
  database: Database
  instance: string
  release: string
  now: () => number
  onFault: (message: string, cause: unknown) => void
}

/** Stores the state of this process, now and every ten seconds. Returns a function that stops this and deletes the report. */
export function startProcessReports(
  { database, instance, release, now, onFault }: ReportOptions,
  levels: () => Pick<ProcessReport, 'runningTurns' | 'waitingPrompts' | 'openStreams' | 'lagMs' | 'endpoints'>,
): () => Promise<void> {
  const startedAt = now()
  const report = async () => {
    const { runningTurns, waitingPrompts, openStreams, lagMs, endpoints } = levels()
    const measured = { runningTurns, waitingPrompts, openStreams, lagMs: Math.round(lagMs), endpoints }
    const own = { release, node: process.versions.node, host: hostname(), pid: process.pid, startedAt }
    await writeProcessReport(database, instance, { ...own, ...measured, memoryBytes: process.memoryUsage.rss() }, now())
  }
  const stop = repeat(report, {
    intervalMs: INTERVAL_MS,
    onFailure: (cause) => onFault('Storing the state of this process failed; retrying', cause),
  })
  // Processes that crashed: while they are listed no more, their rows would stay.
  deleteSilentReports(database, now()).catch((cause: unknown) =>
    onFault('Deleting the states of ended processes failed; the next start tries again', cause),
  )
  return async () => {
    await stop()
    await deleteProcessReport(database, instance).catch((cause: unknown) =>
      onFault('Deleting the state of this process failed; other processes ignore it in a moment', cause),
    )
  }
}
