import { createHash, timingSafeEqual } from 'node:crypto'
import type { Metrics } from '../../metrics/metrics.ts'
import { rejectionCodeOf, reject } from '../problems.ts'
import type { Server } from '../server.ts'

/** Prometheus metrics, protected by the operator's token. Independent of visitors' credentials. */
export function metricsRoute(app: Server, metrics: Metrics, token: string): void {
  app.addHook('onResponse', async (request) => {
    const code = rejectionCodeOf(request)
    if (code) metrics.rejected(code)
  })
  app.get(
    '/metrics',
    { schema: { hide: true } as never, exposeHeadRoute: false, config: { answersAnyHost: true } },
    async (request, reply) => {
      if (!isSame(request.headers.authorization ?? '', `Bearer ${token}`)) return reject(reply, 'unauthorized')
      return reply.type('text/plain; version=0.0.4; charset=utf-8').send(await metrics.text())
    },
  )
}

/** Compares in constant time. */
function isSame(one: string, other: string): boolean {
  const hash = (text: string) => createHash('sha256').update(text).digest()
  return timingSafeEqual(hash(one), hash(other))
}
