import type { FastifyInstance, FastifyRequest } from 'fastify'
import { ATTRIBUTES } from '../telemetry/tracing/names.ts'
import { openSpan, type OpenSpan } from '../telemetry/tracing/spans.ts'
import { rejectionCodeOf } from './problems.ts'

/** Gives each request a span, the parent of all that it causes. Health checks and scrapes have none. */
export function traceRequests(app: FastifyInstance): void {
  const spans = new WeakMap<FastifyRequest, OpenSpan>()
  app.addHook('onRequest', (request, _reply, done) => {
    const { id, method, protocol, headers, routeOptions } = request
    if (routeOptions.config.answersAnyHost) return done()
    // The pattern, since addresses contain ids.
    const route = request.is404 ? undefined : routeOptions.url
    const attributes = {
      [ATTRIBUTES.operationId]: id,
      [ATTRIBUTES.method]: method,
      [ATTRIBUTES.scheme]: protocol,
      ...(route && { [ATTRIBUTES.route]: route }),
    }
    const span = openSpan(route ? `${method} ${route}` : method, { kind: 'SERVER', headers, attributes })
    spans.set(request, span)
    return span.run(done)
  })
  // A body arrives on its socket, outside of the span.
  app.addHook('preValidation', (request, _reply, done) => {
    const span = spans.get(request)
    if (span) span.run(done)
    else done()
  })
  app.addHook('onResponse', (request, reply, done) => {
    const span = spans.get(request)
    const code = rejectionCodeOf(request)
    span?.set({ [ATTRIBUTES.status]: reply.statusCode })
    if (reply.statusCode >= 500) span?.fail(code ?? String(reply.statusCode))
    else if (code) span?.set({ [ATTRIBUTES.errorType]: code })
    span?.end()
    done()
  })
}
