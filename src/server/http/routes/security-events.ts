import type { FastifyRequest } from 'fastify'
import type { SecurityEventKind, SecurityEvents } from '../../limits/security-events.ts'
import { securityEventOf } from '../../limits/security-events.ts'
import type { Database } from '../../store/database.ts'
import { listSecurityEvents } from '../../store/security-events.ts'
import { carriesToken } from '../bearer-token.ts'
import { reject, rejectionCodeOf } from '../problems.ts'
import type { Server } from '../server.ts'

/** Successful calls that are events. */
const KIND_OF_CALL: Readonly<Record<string, SecurityEventKind>> = {
  'DELETE /api/v1/shares/:id': 'revoked_share',
  'DELETE /api/v1/me/device': 'revoked_device',
  'DELETE /api/v1/me/devices': 'revoked_device',
  'POST /api/v1/sign-out': 'revoked_device',
}

/** Counts rejections and calls that are security events. */
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

/** The counts of security events by day, protected by the operator's token. */
export function securityEventsRoute(
  app: Server,
  { database, events }: { database: Database; events: SecurityEvents },
  token: string,
): void {
  app.get(
    '/metrics/security-events',
    { schema: { hide: true } as never, exposeHeadRoute: false, config: { answersAnyHost: true } },
    async (request, reply) => {
      if (!carriesToken(request, token)) return reject(reply, 'unauthorized')
      await events.write()
      return { events: await listSecurityEvents(database) }
    },
  )
}
