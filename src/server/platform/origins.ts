import type { FastifyReply, FastifyRequest } from 'fastify'

const PREFLIGHT_MAX_AGE_S = 600
const PREFLIGHT_HEADERS = {
  'access-control-allow-methods': 'GET, HEAD, POST, PUT, PATCH, DELETE',
  'access-control-allow-headers': 'authorization, content-type, idempotency-key, last-event-id, privacy-consent, proof-of-work',
  'access-control-max-age': PREFLIGHT_MAX_AGE_S,
}
const EXPOSED_HEADERS =
  'content-location, ratelimit, ratelimit-policy, retry-after, x-personal-data, x-request-id, x-vercel-ai-ui-message-stream'

/** Decides which pages can call the API: our own, and those of the exact origins that the operator lists. */
export class Origins {
  readonly #listed: ReadonlySet<string>

  constructor(listed: readonly string[]) {
    this.#listed = new Set(listed)
  }

  isListed(request: FastifyRequest): boolean {
    return this.#listed.has(request.headers.origin ?? '')
  }

  /** Whether a request comes from a page that cannot write. A client without an `Origin` header is not a page. */
  isForeign(request: FastifyRequest): boolean {
    if (this.isListed(request)) return false
    const site = request.headers['sec-fetch-site']
    if (site !== undefined) return site !== 'same-origin' && site !== 'none'
    const { origin } = request.headers
    return origin !== undefined && origin !== `${request.protocol}://${request.host}`
  }

  /** Sets CORS headers and answers preflight requests for listed origins. Does nothing if none are listed. */
  share(request: FastifyRequest, reply: FastifyReply): FastifyReply | undefined {
    if (this.#listed.size === 0 || !(request.routeOptions.url ?? request.url).startsWith('/api/')) return undefined
    reply.header('vary', 'Origin')
    if (!this.isListed(request)) return undefined
    reply.headers({
      'access-control-allow-origin': request.headers.origin,
      'access-control-allow-credentials': 'true',
      'access-control-expose-headers': EXPOSED_HEADERS,
    })
    const isPreflight = request.method === 'OPTIONS' && request.headers['access-control-request-method'] !== undefined
    return isPreflight ? reply.code(204).headers(PREFLIGHT_HEADERS).send() : undefined
  }
}
