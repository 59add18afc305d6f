import { z } from 'zod'
import { csvOf } from '../../../contract/csv.ts'
import { MIN_SHOWN } from '../../../contract/staff/figures.ts'
import { PRIVACY_DAYS, type PrivacyTable } from '../../../contract/staff/privacy-days.ts'
import { PrivacyCsvQuery, PrivacyNotice, PrivacyNoticeQuery, PrivacyReport } from '../../../contract/staff/privacy.ts'
import { dayOf } from '../../insights/figures/figures.ts'
import type { Server } from '../../platform/server.ts'
import { readNewestAuditRows } from '../../store/staff/audit-log.ts'
import { type DailyFigure, readFigures } from '../../store/staff/figures.ts'
import { readFact } from '../../store/engine/installation-facts.ts'
import type { Database } from '../../store/engine/database.ts'
import { listStaff } from '../../store/staff/staff.ts'
import type { ConsoleRouteOptions } from '../console-options.ts'
import { staffRoute } from '../staff-route.ts'

const DAY_MS = 86_400_000
const MAX_READINGS = 50
const tags = ['privacy']

export function privacyRoutes(app: Server, { database, noticeIn, staffReading, retentionMs, now }: ConsoleRouteOptions): void {
  app.get(
    '/api/staff/v1/privacy',
    staffRoute(
      { summary: 'Retrieve deletions, exports, retention runs and readings', tags, reply: PrivacyReport },
      { staff: 'read-privacy' },
    ),
    async () => {
      const lastRun = await readFact(database, 'last_purge')
      return {
        ...(await readTables(database, now())),
        retentionDays: retentionMs / DAY_MS,
        lastRunAt: lastRun === null ? null : new Date(Number(lastRun)).toISOString(),
        staffReading,
      }
    },
  )

  app.get(
    '/api/staff/v1/privacy.csv',
    staffRoute(
      { summary: 'Download a table of deletions, exports or readings', tags, querystring: PrivacyCsvQuery, reply: z.string() },
      { staff: 'read-privacy' },
    ),
    async ({ query: { table } }, reply) => {
      const { readings, ...counts } = await readTables(database, now())
      const records =
        table === 'readings' ? readings : counts[table].map(({ count, ...others }) => ({ ...others, count: count ?? `< ${MIN_SHOWN}` }))
      reply.header('content-disposition', `attachment; filename="privacy-${table}-${dayOf(now())}.csv"`)
      return reply.type('text/csv; charset=utf-8').serializer(String).send(csvOf(records))
    },
  )

  app.get(
    '/api/staff/v1/privacy/notice',
    staffRoute(
      { summary: 'Retrieve the privacy notice as visitors read it', tags, querystring: PrivacyNoticeQuery, reply: PrivacyNotice },
      { staff: 'read-privacy' },
    ),
    async ({ query }) => noticeIn(query.language),
  )
}

async function readTables(database: Database, now: number): Promise<Pick<PrivacyReport, PrivacyTable>> {
  const range = { from: dayOf(now - (PRIVACY_DAYS - 1) * DAY_MS), to: dayOf(now) }
  const roles = new Map((await listStaff(database, now)).map(({ id, role }) => [id, role]))
  const [reports, chats] = await Promise.all(
    ['report.read', 'chat.read'].map((action) => readNewestAuditRows(database, { action }, MAX_READINGS)),
  )
  const readings = [...(reports ?? []), ...(chats ?? [])].toSorted((one, other) => other.number - one.number).slice(0, MAX_READINGS)
  return {
    rights: countsOf(await readFigures(database, { ...range, dimension: 'right' })),
    expired: countsOf(await readFigures(database, { ...range, dimension: 'expired' })),
    readings: readings.map(({ at, actor, action, target }) => ({
      at: new Date(at).toISOString(),
      reader: actor,
      role: roles.get(actor) ?? null,
      what: action === 'chat.read' ? ('chat' as const) : ('report' as const),
      target,
    })),
  }
}

function countsOf(figures: readonly DailyFigure[]) {
  return figures
    .filter(({ turns }) => turns > 0)
    .toReversed()
    .map(({ day, value, turns }) => ({ day, kind: value, count: turns < MIN_SHOWN ? null : turns }))
}
