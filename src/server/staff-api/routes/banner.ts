import { BannerInForce, NewBanner } from '../../../contract/staff/banner.ts'
import type { Server } from '../../platform/server.ts'
import type { AuditAction } from '../../staff/audit.ts'
import { readBanner, writeBanner } from '../../store/staff/banner.ts'
import type { Database } from '../../store/engine/database.ts'
import { staffOf } from '../authorize.ts'
import type { ConsoleRouteOptions } from '../console-options.ts'
import { staffRoute } from '../staff-route.ts'

const PATH = '/api/staff/v1/banner'
const tags = ['banner']

export function bannerRoutes(app: Server, { database, audit, now }: ConsoleRouteOptions): void {
  const record = (actor: string, action: AuditAction) => (transaction: Database) =>
    audit.append(transaction, { at: now(), actor, action, target: null })

  app.get(PATH, staffRoute({ summary: 'Retrieve the banner', tags, reply: BannerInForce }, { staff: 'read-status' }), async () => ({
    banner: await readBanner(database),
  }))

  app.post(
    PATH,
    staffRoute(
      { summary: 'Show a banner to visitors', tags, body: NewBanner, reply: BannerInForce },
      { staff: 'change-stops', isSensitive: true },
    ),
    async (request) => {
      const banner = { text: request.body.text, since: new Date(now()).toISOString() }
      await writeBanner(database, banner, record(staffOf(request).member.id, 'banner.show'))
      return { banner }
    },
  )

  app.delete(
    PATH,
    staffRoute({ summary: 'Remove the banner', tags, reply: BannerInForce }, { staff: 'change-stops', isSensitive: true }),
    async (request) => {
      await writeBanner(database, null, record(staffOf(request).member.id, 'banner.remove'))
      return { banner: null }
    },
  )
}
