import { z } from 'zod'
import { BannerInForce, NewBanner } from '../../../contract/staff/banner.ts'
import { StaffProblem } from '../../../contract/staff/problems.ts'
import type { Server } from '../../platform/server.ts'
import type { AuditAction } from '../../staff/audit.ts'
import { readBanner, writeBanner } from '../../store/staff/banner.ts'
import type { Database } from '../../store/engine/database.ts'
import { staffOf } from '../authorize.ts'
import type { ConsoleRouteOptions } from '../console-options.ts'

const PATH = '/api/staff/v1/banner'
const querystring = z.strictObject({})
const response = { 200: BannerInForce, default: StaffProblem }
const tags = ['banner']

/** Routes for the banner that every visitor sees. */
export function bannerRoutes(app: Server, { database, audit, now }: ConsoleRouteOptions): void {
  const record = (actor: string, action: AuditAction) => (transaction: Database) =>
    audit.append(transaction, { at: now(), actor, action, target: null })

  app.get(
    PATH,
    { schema: { summary: 'Retrieve the banner', tags, querystring, response }, config: { staff: 'read-status' } },
    async () => ({ banner: await readBanner(database) }),
  )

  app.post(
    PATH,
    {
      schema: { summary: 'Show a banner to visitors', tags, querystring, body: NewBanner, response },
      config: { staff: 'change-stops', isSensitive: true },
    },
    async (request) => {
      const banner = { text: request.body.text, since: new Date(now()).toISOString() }
      await writeBanner(database, banner, record(staffOf(request).member.id, 'banner.show'))
      return { banner }
    },
  )

  app.delete(
    PATH,
    { schema: { summary: 'Remove the banner', tags, querystring, response }, config: { staff: 'change-stops', isSensitive: true } },
    async (request) => {
      await writeBanner(database, null, record(staffOf(request).member.id, 'banner.remove'))
      return { banner: null }
    },
  )
}
