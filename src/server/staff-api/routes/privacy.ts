import { z } from 'zod'
import { sendCsv } from '../send-csv.ts'
import { PrivacyReport } from '../../../contract/staff/privacy.ts'
import { dayOf } from '../../insights/figures/figures.ts'
import type { Server } from '../../platform/server.ts'
import { readNewestAuditRows } from '../../store/staff/audit-log.ts'
import { readFact } from '../../store/engine/installation-facts.ts'
import type { Database } from '../../store/engine/database.ts'
import { listStaff } from '../../store/staff/staff.ts'
import type { ConsoleRouteOptions } from '../console-options.ts'
import { staffRoutes } from '../staff-route.ts'

const DAY_MS = 86_400_000
const MAX_READINGS = 50
const route = staffRoutes('privacy')

export function privacyRoutes(app: Server, { database, staffReading, retentionMs, now }: ConsoleRouteOptions): void {
  app.get(
    '/api/staff/v1/privacy',
    route('read-privacy', { summary: 'Retrieve readings and the last deletion of what had expired', reply: PrivacyReport }),
    async () => {
      const lastRun = await readFact(database, 'last_purge')
      return {
        readings: await readReadings(database),
        retentionDays: retentionMs / DAY_MS,
        lastRunAt: lastRun === null ? null : new Date(Number(lastRun)).toISOString(),
        staffReading,
      }
    },
  )

  app.get('/api/staff/v1/privacy.csv', route('read-privacy', { summary: 'Download the readings', reply: z.string() }), async (_, reply) => {
    return sendCsv(reply, `readings-${dayOf(now())}`, await readReadings(database))
  })
}

async function readReadings(database: Database): Promise<PrivacyReport['readings']> {
  const roles = new Map((await listStaff(database)).map(({ id, role }) => [id, role]))
  const [reports, chats] = await Promise.all(
    ['report.read', 'chat.read'].map((action) => readNewestAuditRows(database, { action }, MAX_READINGS)),
  )
  const readings = [...(reports ?? []), ...(chats ?? [])].toSorted((one, other) => other.number - one.number).slice(0, MAX_READINGS)
  return readings.map(({ at, actor, action, target }) => ({
    at: new Date(at).toISOString(),
    reader: actor,
    role: roles.get(actor) ?? null,
    what: action === 'chat.read' ? ('chat' as const) : ('report' as const),
    target,
  }))
}
