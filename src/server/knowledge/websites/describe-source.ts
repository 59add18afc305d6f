import type { SourceRow } from '../../store/knowledge/sources.ts'
import { storedReport, summaryOf } from './run-report.ts'

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
