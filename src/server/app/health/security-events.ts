import type { Settings } from '../../config/config.ts'
import { limitConnections } from '../../platform/connection-limit.ts'
import { countSecurityEvents, securityEventsRoute } from '../../visitor-api/installation/security-events.ts'
import type { Server } from '../../platform/server.ts'
import { capsOn } from '../../limits/limit-settings.ts'
import type { Guard, GuardOptions } from '../../limits/guard.ts'
import type { Metrics } from '../../telemetry/metrics/metrics.ts'
import { NetworkRejections } from '../../limits/network-rejections.ts'
import type { SecurityEvents, SecurityEventsOptions } from '../../limits/security-events.ts'

/** Counts further security events, among them connections over the limit of a network, and rejected requests by network. */
export function openSecurityEvents(
  settings: Settings,
  app: Server,
  {
    events,
    guard,
    values,
    metrics,
    ...options
  }: SecurityEventsOptions & {
    events: SecurityEvents
    guard: Guard
    values: GuardOptions['values']
    metrics: Metrics | undefined
  },
): { close(): Promise<void> } {
  // Only the console shows them.
  const rejections = settings.console && new NetworkRejections(options)
  countSecurityEvents(app, { events, rejections, limitedNetwork: (address) => guard.limitedNetwork(address) })
  metrics?.showSecurityEvents(events.totals)
  if (settings.metricsToken !== null) securityEventsRoute(app, { database: options.database, events }, settings.metricsToken)
  limitConnections(app.server, {
    caps: () => capsOn('connection', values().limits),
    trustedProxies: settings.trustedProxies,
    limitedNetwork: (address) => guard.limitedNetwork(address),
    now: () => performance.now(),
    onRejected: () => events.count('too_many_connections'),
    warn: (message) => app.log.warn(message),
  })
  return {
    async close() {
      await Promise.all([events.close(), rejections?.close()])
    },
  }
}
