import { z } from 'zod'
import { MIN_SHOWN } from '../../../contract/staff/figures.ts'
import { PRIVACY_DAYS } from '../../../contract/staff/privacy-days.ts'
import { PrivacyNotice, PrivacyNoticeQuery, PrivacyReport } from '../../../contract/staff/privacy.ts'
import { StaffProblem } from '../../../contract/staff/problems.ts'
import { dayOf } from '../../figures/figures.ts'
import type { Server } from '../../http/server.ts'
import { readNewestAuditRows } from '../../store/audit-log.ts'
import { type DailyFigure, readFigures } from '../../store/figures.ts'
import { readFact } from '../../store/installation-facts.ts'
import { listStaff } from '../../store/staff.ts'
import type { ConsoleRouteOptions } from '../console-options.ts'

const DAY_MS = 86_400_000
const MAX_READINGS = 50
const tags = ['privacy']

/** What happens to visitors' data, as counts. */
export function privacyRoutes(app: Server, { database, noticeIn, staffReading, retentionMs, now }: ConsoleRouteOptions): void {
  app.get(
    '/api/staff/v1/privacy',
    {
      schema: {
        summary: 'Retrieve deletions, exports, retention runs and readings',
        tags,
        querystring: z.strictObject({}),
        response: { 200: PrivacyReport, default: StaffProblem },
      },
      config: { staff: 'read-privacy' },
    },
    async () => {
      const range = { from: dayOf(now() - (PRIVACY_DAYS - 1) * DAY_MS), to: dayOf(now()) }
      const roles = new Map((await listStaff(database, now())).map(({ id, role }) => [id, role]))
      const [reports, chats] = await Promise.all(
        ['report.read', 'chat.read'].map((action) => readNewestAuditRows(database, { action }, MAX_READINGS)),
      )
      const readings = [...(reports ?? []), ...(chats ?? [])].toSorted((one, other) => other.number - one.number).slice(0, MAX_READINGS)
      const lastRun = await readFact(database, 'last_purge')
      return {
        rights: countsOf(await readFigures(database, { ...range, dimension: 'right' })),
        expired: countsOf(await readFigures(database, { ...range, dimension: 'expired' })),
        retentionDays: retentionMs / DAY_MS,
        lastRunAt: lastRun === null ? null : new Date(Number(lastRun)).toISOString(),
        readings: readings.map(({ at, actor, action, target }) => ({
          at: new Date(at).toISOString(),
          reader: actor,
          role: roles.get(actor) ?? null,
          what: action === 'chat.read' ? ('chat' as const) : ('report' as const),
          target,
        })),
        staffReading,
      }
    },
  )

  app.get(
    '/api/staff/v1/privacy/notice',
    {
      schema: {
        summary: 'Retrieve the privacy notice as visitors read it',
        tags,
        querystring: PrivacyNoticeQuery,
        response: { 200: PrivacyNotice, default: StaffProblem },
      },
      config: { staff: 'read-privacy' },
    },
    async ({ query }) => noticeIn(query.language),
  )
}

function countsOf(figures: readonly DailyFigure[]) {
  return figures
    .filter(({ turns }) => turns > 0)
    .toReversed()
    .map(({ day, value, turns }) => ({ day, kind: value, count: turns < MIN_SHOWN ? null : turns }))
}
