import type { FastifyRequest } from 'fastify'
import { type SecurityEventKind, type SecurityEvents, securityEventOf } from '../../limits/security-events.ts'
import type { Database } from '../../store/engine/database.ts'
import { listSecurityEvents } from '../../store/staff/security-events.ts'
import { carriesToken } from '../../platform/bearer-token.ts'
import { reject, rejectionCodeOf } from '../../platform/problems.ts'
import type { Server } from '../../platform/server.ts'
import type { Metrics } from '../../telemetry/metrics/metrics.ts'
import { isStreaming } from '../../platform/event-stream.ts'

/** Successful calls that are events. */
const KIND_OF_CALL: Readonly<Record<string, SecurityEventKind>> = {
  'DELETE /api/v1/me/device': 'revoked_device',
  'DELETE /api/v1/me/devices': 'revoked_device',
}

export function countSecurityEvents(app: Server, events: SecurityEvents): void {
  app.addHook('onResponse', (request, reply, done) => {
    const code = rejectionCodeOf(request)
    const kind = code ? securityEventOf(code) : reply.statusCode < 300 && revocationOf(request)
    if (kind) events.count(kind)
    done()
  })
}

/** A caller without a key has no device to revoke. */
function revocationOf({ method, routeOptions, resolvedCaller }: FastifyRequest): SecurityEventKind | undefined {
  const kind = KIND_OF_CALL[`${method} ${routeOptions.url}`]
  return kind === 'revoked_device' && !resolvedCaller?.key ? undefined : kind
}

const FOR_OPERATOR = { schema: { hide: true } as never, exposeHeadRoute: false, config: { answersAnyHost: true as const } }

export function securityEventsRoute(
  app: Server,
  { database, events }: { database: Database; events: SecurityEvents },
  token: string,
): void {
  app.get('/metrics/security-events', FOR_OPERATOR, async (request, reply) => {
    if (!carriesToken(request, token)) return reject(reply, 'unauthorized')
    await events.write()
    return { events: await listSecurityEvents(database) }
  })
}

/** Prometheus metrics, protected by the operator's token. Independent of visitors' credentials. */
export function metricsRoute(app: Server, metrics: Metrics, token: string): void {
  app.addHook('onResponse', (request, reply, done) => {
    const code = rejectionCodeOf(request)
    if (code) metrics.rejected(code)
    if (!isStreaming(reply)) {
      const { method, routeOptions, is404 } = request
      const route = is404 ? undefined : routeOptions.url
      metrics.replied({ method, route, status: reply.statusCode, durationMs: reply.elapsedTime })
    }
    done()
  })
  app.get('/metrics', FOR_OPERATOR, async (request, reply) => {
    if (!carriesToken(request, token)) return reject(reply, 'unauthorized')
    return reply.type('text/plain; version=0.0.4; charset=utf-8').send(await metrics.text())
  })
}
