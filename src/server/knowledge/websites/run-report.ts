import { z } from 'zod'

const MAX_NOTES = 100

const Count = z.int().min(0)

/** Result of a run, stored with the source. */
export const RunReport = z.strictObject({
  /** `held`: quarantined as a whole; the earlier snapshot stays in use. `interrupted`: the next run goes on. */
  outcome: z.enum(['done', 'held', 'failed', 'interrupted']),
  /** Why it failed or is held; a sentence. */
  reason: z.string().nullable(),
  counts: z.strictObject({
    new: Count,
    changed: Count,
    unchanged: Count,
    gone: Count,
    held: Count,
    failed: Count,
    skipped: Count,
    /** Addresses beyond the limits. */
    leftOut: Count,
  }),
  requests: Count,
  /** Number of pages in the active snapshot. */
  pages: Count,
  /** Pages that staff may have to look at, with a sentence each; the first of many. */
  notes: z.array(z.strictObject({ address: z.string(), state: z.string(), reason: z.string() })),
})
export type RunReport = z.infer<typeof RunReport>

/** The report of a run that has read nothing yet. */
export function emptyReport(): RunReport {
  const counts = { new: 0, changed: 0, unchanged: 0, gone: 0, held: 0, failed: 0, skipped: 0, leftOut: 0 }
  return { outcome: 'done', reason: null, counts, requests: 0, pages: 0, notes: [] }
}

/** Adds a note, while there is room. */
export function note(report: RunReport, address: string, state: string, reason: string): void {
  if (report.notes.length < MAX_NOTES) report.notes.push({ address, state, reason })
}

/** Reads a stored report; `null` for none. */
export function storedReport(json: string | null): RunReport | null {
  return json === null ? null : RunReport.parse(JSON.parse(json))
}

interface Settlement {
  /** Number of pages in use. */
  pages: number
  /** Addresses of pages whose earlier text stays in use. */
  unanswered: ReadonlySet<string>
  /** Whether later runs wait for staff too. */
  isPinned: boolean
}

/** A stored report after staff have decided about what was held back. */
export function settledReport(json: string, { pages, unanswered, isPinned }: Settlement): string {
  const report = RunReport.parse(JSON.parse(json))
  const notes = report.notes.filter(({ address, state }) => state === 'failed' || unanswered.has(address))
  const settled = report.outcome === 'held' && !isPinned ? { outcome: 'done', reason: null } : {}
  return JSON.stringify({ ...report, ...settled, counts: { ...report.counts, held: unanswered.size }, notes, pages })
}

/** A line for the log and the terminal. */
export function summaryOf({ outcome, reason, counts, pages, requests }: RunReport): string {
  const parts = Object.entries({
    new: counts.new,
    changed: counts.changed,
    unchanged: counts.unchanged,
    gone: counts.gone,
    held: counts.held,
    failed: counts.failed,
    skipped: counts.skipped,
    'beyond the limits': counts.leftOut,
  }).flatMap(([name, count]) => (count > 0 ? [`${count} ${name}`] : []))
  const ends = { done: 'done', held: 'held back', failed: 'failed', interrupted: 'interrupted' }
  return `${ends[outcome]}: ${[`${pages} pages answer`, ...parts, `${requests} requests`].join(', ')}.${reason === null ? '' : ` ${reason}`}`
}
