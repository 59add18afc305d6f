import { boundBodies } from './requests/arriving-bodies.ts'
import { resolveCallers } from './requests/caller.ts'
import { publishAfterWrites } from '../platform/request-checks.ts'
import { type Server, withMethodsRejected } from '../platform/server.ts'
import { acceptedNoticeRoutes, reportRoutes } from './reports.ts'
import { branchRoutes } from './branches.ts'
import { installationRoutes, brandingRoutes, embedSettingsRoute } from './installation/installation.ts'
import { chatRoutes } from './chat.ts'
import { exportRoutes } from './export.ts'
import { deviceRoutes } from './devices.ts'
import { erasureRoutes } from './erasure.ts'
import { eventRoutes } from './events.ts'
import { feedbackRoutes } from './feedback.ts'
import { fileRoutes } from './files.ts'
import { openApi, openApiRoute } from './installation/openapi.ts'
import type { RouteOptions } from './route-options.ts'
import { searchRoutes, sessionRoutes } from './sessions.ts'
import { turnRoutes } from './turns.ts'

export async function registerRoutes(app: Server, options: RouteOptions): Promise<void> {
  await openApi(app, options.configuration().name)
  resolveCallers(app, options.resolve)
  publishAfterWrites(app, options.pubsub)
  options.limits.guardRequests(app)
  boundBodies(app, (request) => options.limits.limitedNetwork(request))
  withMethodsRejected(app, () => {
    chatRoutes(app, options)
    sessionRoutes(app, options)
    branchRoutes(app, options)
    feedbackRoutes(app, options)
    reportRoutes(app, options)
    searchRoutes(app, options)
    erasureRoutes(app, options)
    exportRoutes(app, options)
    fileRoutes(app, options)
    deviceRoutes(app, options)
    turnRoutes(app, options)
    if (options.settings.staffReading) acceptedNoticeRoutes(app, options)
    eventRoutes(app, options)
    installationRoutes(app, options)
    brandingRoutes(app, options.logo, options.configuration)
    embedSettingsRoute(app, options.settings)
    openApiRoute(app)
  })
}
