import { carriesToken } from '../../platform/bearer-token.ts'
import { reject, rejectionCodeOf } from '../../platform/problems.ts'
import type { Server } from '../../platform/server.ts'
import type { Metrics } from '../../telemetry/metrics/metrics.ts'

const FOR_OPERATOR = { schema: { hide: true } as never, exposeHeadRoute: false, config: { answersAnyHost: true as const } }

/** Prometheus metrics, protected by the operator's token. Independent of visitors' credentials. */
export function metricsRoute(app: Server, metrics: Metrics, token: string): void {
  app.addHook('onResponse', (request, reply, done) => {
    const code = rejectionCodeOf(request)
    if (code) metrics.rejected(code)
    if (!reply.isStream) {
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
