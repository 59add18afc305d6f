import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Caller, Resolve } from '../visitors/resolve.ts'
import { clearVisitorCookie, hasConsented, visitorCookiesOf } from './cookies.ts'
import { contentTypeOf } from './json-body.ts'
import { refuse } from './problems.ts'

/** A request has at most this many headers; a browser sends some 20. */
const MAX_HEADERS = 200

/** Every other method is a write, also one that will be refused. */
const READS = new Set(['GET', 'HEAD', 'OPTIONS', 'TRACE'])

/**
 * What is decided before a body is read: how much there is of the headers, where a write comes from, what it carries,
 * and whether a browser's visitor has consented. A read changes nothing, so it needs none of the last three.
 */
export async function admitRequest(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply | undefined> {
  if (request.raw.rawHeaders.length / 2 > MAX_HEADERS) return refuse(reply, 'headers_too_large')
  if (request.headers.host === undefined) return refuse(reply.header('connection', 'close'), 'invalid_request')
  if (request.is404 || READS.has(request.method)) return undefined
  if (isCrossOrigin(request)) return refuse(reply, 'cross_origin')
  const type = hasBody(request) ? contentTypeOf(request) : 'json'
  if (type === 'ambiguous') return refuse(reply, 'invalid_request')
  if (type === 'other') return refuse(reply, 'unsupported_media_type')
  if (isBrowser(request) && !hasConsented(request)) return refuse(reply, 'consent_required')
  return undefined
}

/** A POST always has a body, be it `{}`: its JSON type is what a form of another site can't send. */
function hasBody({ method, headers }: FastifyRequest): boolean {
  return method === 'POST' || headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0
}

/** Who calls, or undefined when the refusal has been sent. `id` is the `{id}` of the chat calls. */
export async function callerOf(resolve: Resolve, request: FastifyRequest, reply: FastifyReply, id?: string): Promise<Caller | undefined> {
  const resolution = await resolve({ cookies: visitorCookiesOf(request), authorization: request.headers.authorization }, id)
  if (resolution.kind === 'refused') {
    refuse(reply, resolution.code)
    return undefined
  }
  if (resolution.caller.staleCookie) clearVisitorCookie(request, reply)
  return resolution.caller
}

function isBrowser(request: FastifyRequest): boolean {
  return request.headers['sec-fetch-site'] !== undefined || request.headers.origin !== undefined
}

function isCrossOrigin(request: FastifyRequest): boolean {
  const site = request.headers['sec-fetch-site']
  if (site !== undefined) return site !== 'same-origin' && site !== 'none'
  const { origin } = request.headers
  return origin !== undefined && origin !== `${request.protocol}://${request.host}`
}
