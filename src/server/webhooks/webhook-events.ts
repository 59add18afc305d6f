import type { InstallationStatus } from '../../contract/staff/status.ts'
import type { WebhookEvent } from '../../contract/staff/webhook-events.ts'
import { dayOf } from '../insights/figures/figures.ts'
import { readPublished } from '../insights/figures/read-figures.ts'
import { readTopics } from '../insights/questions/read-topics.ts'
import { storedReport } from '../knowledge/websites/run-report.ts'
import type { Database } from '../store/engine/database.ts'
import { readFact } from '../store/engine/installation-facts.ts'
import { listSources } from '../store/knowledge/sources.ts'
import { listNewReports } from '../store/staff/webhooks.ts'

const DAY_MS = 86_400_000
/** After a day, for answers that began in it. */
const SETTLING_MS = 2 * 3_600_000

/** Something that happened, derived from what is stored. */
export interface FoundEvent {
  type: WebhookEvent
  /** Tells it from others of its type; the same whenever and wherever it is found. */
  key: string
  at: number
  data: object
  report?: string
}

/** Reports that visitors have sent since a time, without any text: staff read it in the console. */
export async function findReports(database: Database, since: number): Promise<FoundEvent[]> {
  const reports = await listNewReports(database, since)
  return reports.map(({ id, scope, thumb, created_at: at }) => ({
    type: 'report.created',
    key: id,
    at,
    data: { id, scope, rating: thumb },
    report: id,
  }))
}

export async function findSourceRuns(database: Database, since: number): Promise<FoundEvent[]> {
  const events: FoundEvent[] = []
  for (const { id, ended_at: at, report: stored } of await listSources(database)) {
    const report = storedReport(stored)
    if (!report || at === null || at < since) continue
    const { outcome, reason, pages, counts } = report
    const hasFailed = outcome === 'failed' || outcome === 'crashed'
    if (!hasFailed && outcome !== 'held' && counts.new + counts.changed + counts.gone + counts.held === 0) continue
    const { new: added, changed, gone, held } = counts
    const data = { source: id, outcome, reason, pages, new: added, changed, gone, held }
    events.push({ type: hasFailed ? 'source.failed' : 'source.changed', key: `${id} ${at}`, at, data })
  }
  return events
}

export async function findFailedBackup(database: Database, since: number): Promise<FoundEvent[]> {
  const at = Number(await readFact(database, 'last_failed_backup'))
  return at >= since && at > 0 ? [{ type: 'backup.failed', key: String(at), at, data: {} }] : []
}

/** Entries of the console's "Needs attention": budgets once for each threshold, others once a day while they last. */
export function findProblems({ attention }: Pick<InstallationStatus, 'attention'>, now: number): FoundEvent[] {
  const day = dayOf(now)
  return attention.map(({ code, text, values }) => {
    if (code !== 'budget-day' && code !== 'budget-month')
      return { type: 'problem.opened', key: [code, values.name, day].join(' '), at: now, data: { code, text } }
    const period = code === 'budget-day' ? 'day' : 'month'
    const percent = Number(values.percent) >= 100 ? 100 : 80
    const key = [period, period === 'day' ? day : day.slice(0, 7), percent].join(' ')
    return { type: 'budget.threshold', key, at: now, data: { period, percent } }
  })
}

/** Figures of the last day, and topics without an answer, as staff read them: nothing of fewer than five visitors. */
export async function findDailyFigures(database: Database, now: number): Promise<FoundEvent> {
  const day = dailyKey(now)
  const { days, total, breakdowns } = await readPublished(database, { from: day, to: day }, day)
  const { topics: listed } = await readTopics(database, now)
  const topics = listed.filter((topic) => topic.day === day)
  const states = breakdowns.state.map(({ value, turns }) => ({ state: value, turns }))
  const words = topics.map(({ phrases, words: single, visitors }) => ({ phrases, words: single, visitors }))
  return { type: 'figures.daily', key: day, at: now, data: { day, days, total, states, topics: words } }
}

/** The last day whose figures don't change any more. */
export function dailyKey(now: number): string {
  return dayOf(now - DAY_MS - SETTLING_MS)
}
