import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Caller, Credentials, Resolve } from '../../visitors/resolve.ts'
import { clearVisitorCookie, visitorCookiesOf } from '../../platform/cookies.ts'
import { reject } from '../../platform/problems.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** The caller of a route with `config.caller`. Throws on other routes. */
    readonly caller: Caller
    /** The caller's owner id, on a route with `config.needsOwner`. Throws if there is none. */
    readonly owner: string
    /** Null until resolved, and on routes without a caller. */
    resolvedCaller: Caller | null
  }
  interface FastifyContextConfig {
    /** Identification of the caller: by the credential alone, or with the `id` of the query, or of the path and query. Without it, a route has no caller. */
    caller?: 'credential' | 'path' | 'query'
    /** Rejects callers who own nothing yet, with `not_found`. */
    needsOwner?: true
  }
}

export function resolveCallers(app: FastifyInstance, resolve: Resolve): void {
  app.decorateRequest('resolvedCaller', null)
  app.decorateRequest('caller', { getter: callerOf })
  app.decorateRequest('owner', { getter: ownerOf })
  app.addHook('preHandler', async (request, reply) => {
    const { caller: source, needsOwner } = request.routeOptions.config
    if (!source) return undefined
    const resolution = await resolve(credentialsOf(request), ...idsOf(request, source))
    if (resolution.kind === 'rejected') return reject(reply, resolution)
    const { caller } = resolution
    // Only the path chooses an agent.
    request.resolvedCaller = source === 'path' ? caller : { ...caller, agent: null }
    if (caller.staleCookie) clearVisitorCookie(request, reply)
    return needsOwner && caller.access.owner === null ? reject(reply, 'not_found') : undefined
  })
}

export function credentialsOf(request: FastifyRequest): Credentials {
  return { cookies: visitorCookiesOf(request), authorization: request.headers.authorization, fromHere: isFromHere(request) }
}

function callerOf(this: FastifyRequest): Caller {
  if (!this.resolvedCaller) throw new Error(`The route ${this.routeOptions.url} reads the caller without config.caller`)
  return this.resolvedCaller
}

function ownerOf(this: FastifyRequest): string {
  const { owner } = this.caller.access
  if (owner === null) throw new Error(`The route ${this.routeOptions.url} reads the owner without config.needsOwner`)
  return owner
}

function idsOf(
  { params, query }: FastifyRequest,
  source: 'credential' | 'path' | 'query',
): [id?: string | undefined, chosen?: string | undefined] {
  if (source === 'credential') return []
  const { id } = query as { id?: string }
  return source === 'query' ? [id] : [(params as { id: string }).id, id]
}

const LOOPBACK_HOST = /^(?:localhost|127\.0\.0\.1|\[::1\])(?::\d+)?$/i
/** Headers that proxies add. */
export const FORWARDED = ['forwarded', 'via', 'x-forwarded-for', 'x-forwarded-host', 'x-forwarded-proto', 'x-real-ip']

/** A server bound to loopback can still be public: through a proxy on this machine, or a name that resolves to it. */
function isFromHere({ headers }: FastifyRequest): boolean {
  return LOOPBACK_HOST.test(headers.host ?? '') && !FORWARDED.some((name) => headers[name] !== undefined)
}
