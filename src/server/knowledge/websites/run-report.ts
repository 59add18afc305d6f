import { z } from 'zod'
import type { SourceRow } from '../../store/knowledge/sources.ts'

const MAX_NOTES = 100

const Count = z.int().min(0).default(0)

/** Result of a run, stored with the source. */
export const RunReport = z.object({
  /**
   * `held`: quarantined as a whole; the earlier snapshot stays in use. `interrupted`: the next run goes on. `crashed`: it ended its
   * process, and isn't started again by itself.
   */
  outcome: z.enum(['done', 'held', 'failed', 'interrupted', 'crashed']).default('done'),
  /** Why it failed or is held; a sentence. */
  reason: z.string().nullable().default(null),
  counts: z.object({
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
  pages: Count,
  /** Sitemaps that could not be read, with a sentence each; the first of many. What concerns a page is stored with it. */
  notes: z.array(z.object({ address: z.string(), state: z.string(), reason: z.string() })).default([]),
  /** How many pages don't answer, or only with an earlier text, for each reason. */
  reasons: z.record(z.string(), z.int().min(0)).default({}),
})
export type RunReport = z.infer<typeof RunReport>

export function emptyReport(): RunReport {
  return RunReport.parse({ counts: {} })
}

export function note(report: RunReport, address: string, state: string, reason: string): void {
  if (report.notes.length < MAX_NOTES) report.notes.push({ address, state, reason })
}

/** Counts why a page isn't in, whatever other page the reason names. */
export function countReason({ reasons }: RunReport, reason: string): void {
  const kind = reason.replace(/https?:\S*[^\s.,]/, 'another address')
  reasons[kind] = (reasons[kind] ?? 0) + 1
}

export function storedReport(json: string | null): RunReport | null {
  return json === null ? null : RunReport.parse(JSON.parse(json))
}

interface Settlement {
  pages: number
  /** How many pages still answer with their earlier text. */
  unanswered: number
  /** Whether later runs wait for staff too. */
  isPinned: boolean
}

/** A stored report after staff have decided about what was held back. */
export function settledReport(json: string, { pages, unanswered, isPinned }: Settlement): string {
  const report = RunReport.parse(JSON.parse(json))
  const settled = report.outcome === 'held' && !isPinned ? { outcome: 'done', reason: null } : {}
  return JSON.stringify({ ...report, ...settled, counts: { ...report.counts, held: unanswered }, pages })
}

export function summaryOf({ outcome, reason, counts, pages, requests, reasons }: RunReport): string {
  const { leftOut, ...others } = counts
  const parts = Object.entries({ ...others, 'beyond the limits': leftOut }).flatMap(([name, count]) =>
    count > 0 ? [`${count} ${name}`] : [],
  )
  const ends = { done: 'done', held: 'held back', failed: 'failed', interrupted: 'interrupted', crashed: 'ended its process' }
  const why = Object.entries(reasons).map(([kind, count]) => `${kind.replace(/\.$/, '')} (${count})`)
  return [
    `${ends[outcome]}: ${[`${pages} pages answer`, ...parts, `${requests} requests`].join(', ')}.`,
    ...(reason === null ? [] : [reason]),
    ...(why.length > 0 ? [`Not in, or as before: ${why.join(', ')}.`] : []),
  ].join(' ')
}

export function problemsOf(row: SourceRow): string[] {
  const report = storedReport(row.report)
  if (!report) return []
  const { outcome, reason, counts } = report
  if (outcome === 'failed' || outcome === 'held' || outcome === 'crashed') return [`source:${row.id}: ${reason ?? 'The last run failed.'}`]
  if (counts.held === 0) return []
  return [
    `source:${row.id}: ${counts.held} pages wait for a decision, or are error pages, and answer as before: parley knowledge status ${row.id}`,
  ]
}

export function stateOf(
  { active, holder, lease_until: until, started_at: startedAt, ended_at: endedAt, report }: SourceRow,
  now: number,
): string {
  if (holder !== null && until > now) return `is being read since ${dateOf(startedAt)}`
  const last = storedReport(report)
  if (!last) return active === null ? 'not read yet' : 'being read for the first time was interrupted'
  return `${summaryOf(last)} Last run ended ${dateOf(endedAt)}.`
}

function dateOf(time: number | null): string {
  return time === null ? 'never' : new Date(time).toISOString()
}
