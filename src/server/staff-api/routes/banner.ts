import { BannerInForce, NewBanner } from '../../../contract/staff/banner.ts'
import type { Server } from '../../platform/server.ts'
import { readBanner, writeBanner } from '../../store/staff/banner.ts'
import type { ConsoleRouteOptions } from '../console-options.ts'
import { sensitive, staffRoutes } from '../staff-route.ts'

const PATH = '/api/staff/v1/banner'
const route = staffRoutes('banner')

export function bannerRoutes(app: Server, { database, record, now }: ConsoleRouteOptions): void {
  app.get(PATH, route('read-status', { summary: 'Retrieve the banner', reply: BannerInForce }), async () => ({
    banner: await readBanner(database),
  }))

  app.post(
    PATH,
    route(sensitive('change-stops'), { summary: 'Show a banner to visitors', body: NewBanner, reply: BannerInForce }),
    async (request) => {
      const banner = { text: request.body.text, since: new Date(now()).toISOString() }
      await writeBanner(database, banner, record(request, 'banner.show', null))
      return { banner }
    },
  )

  app.delete(PATH, route(sensitive('change-stops'), { summary: 'Remove the banner', reply: BannerInForce }), async (request) => {
    await writeBanner(database, null, record(request, 'banner.remove', null))
    return { banner: null }
  })
}
