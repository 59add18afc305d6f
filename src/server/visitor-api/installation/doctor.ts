import { setTimeout as pause } from 'node:timers/promises'
import type { FastifyRequest } from 'fastify'
import { DOCTOR_COOKIE, DOCTOR_PATH, DOCTOR_PAUSE_MS, type SeenRequest } from '../../../contract/chat/seen-request.ts'
import { carriesToken } from '../../platform/bearer-token.ts'
import { hasCookie, setDoctorCookie } from '../../platform/cookies.ts'
import { sendEvents } from '../../platform/event-stream.ts'
import { reject } from '../../platform/problems.ts'
import type { Server } from '../../platform/server.ts'
import { FORWARDED } from '../requests/caller.ts'

/** Replies at a time, since each stays open for a second. */
const MAX_OPEN = 100

/** Describes a request as the server sees it, as an event stream of two events, for `parley doctor`. Protected by a token. */
export function doctorRoute(app: Server, token: string): void {
  let open = 0
  app.get(DOCTOR_PATH, { schema: { hide: true } as never, exposeHeadRoute: false }, async (request, reply) => {
    if (!carriesToken(request, token)) return reject(reply, 'unauthorized')
    if (open >= MAX_OPEN) return reject(reply, 'server_busy')
    const seen = { ...seenRequest(request), cookie: setDoctorCookie(request, reply) }
    open += 1
    const close = () => (open -= 1)
    return sendEvents(reply, async function* (signal) {
      yield `event: request\ndata: ${JSON.stringify(seen satisfies SeenRequest)}\n\n`
      await pause(DOCTOR_PAUSE_MS, undefined, { signal }).catch(() => undefined)
      yield 'event: end\ndata: {}\n\n'
    }).finally(close)
  })
}

function seenRequest(request: FastifyRequest): Omit<SeenRequest, 'cookie'> {
  const { protocol, host, ip, ips, headers } = request
  return {
    protocol: protocol === 'https' ? 'https' : 'http',
    host,
    client: ip,
    peer: request.socket.remoteAddress ?? '',
    isPeerTrusted: (ips?.length ?? 0) > 1,
    forwarded: FORWARDED.filter((name) => headers[name] !== undefined),
    hasCookie: hasCookie(request, DOCTOR_COOKIE),
  }
}
