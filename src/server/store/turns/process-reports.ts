import { z } from 'zod'
import type { Database } from '../engine/database.ts'

/** A process without a report for so long has ended, or can't be reached. */
const SILENT_MS = 20_000
/** Processes that are listed. */
const MAX_LISTED = 200

const ProcessReport = z.object({
  release: z.string(),
  node: z.string(),
  host: z.string(),
  pid: z.int(),
  startedAt: z.int(),
  runningTurns: z.int(),
  waitingPrompts: z.int(),
  openStreams: z.int(),
  /** Average lag of the event loop. */
  lagMs: z.number(),
  memoryBytes: z.int(),
  /** Models, as turns saw them in the last minutes. */
  endpoints: z.array(z.object({ name: z.string(), answered: z.int(), failed: z.int(), lastFailure: z.string().nullable() })).default([]),
})
/** The state of a process. */
export type ProcessReport = z.infer<typeof ProcessReport>

/** Stores the state of a process. `now` is in milliseconds since the epoch. */
export async function writeProcessReport(database: Database, instance: string, report: ProcessReport, now: number): Promise<void> {
  const row = { report: JSON.stringify(report), reported_at: now }
  await database
    .insertInto('process_reports')
    .values({ instance, ...row })
    .onConflict((conflict) => conflict.column('instance').doUpdateSet(row))
    .execute()
}

export async function deleteProcessReport(database: Database, instance: string): Promise<void> {
  await database.deleteFrom('process_reports').where('instance', '=', instance).execute()
}

/** Deletes the reports of processes that ended without deleting theirs. */
export async function deleteSilentReports(database: Database, now: number): Promise<void> {
  await database
    .deleteFrom('process_reports')
    .where('reported_at', '<', now - SILENT_MS)
    .execute()
}

/** The processes that run, oldest first. */
export async function listProcessReports(database: Database, now: number): Promise<ProcessReport[]> {
  const rows = await database
    .selectFrom('process_reports')
    .select('report')
    .where('reported_at', '>=', now - SILENT_MS)
    .limit(MAX_LISTED)
    .execute()
  // Another release may have other fields.
  const reports = rows.flatMap(({ report }) => ProcessReport.safeParse(JSON.parse(report)).data ?? [])
  return reports.toSorted((one, other) => one.startedAt - other.startedAt)
}
