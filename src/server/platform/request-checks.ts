import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { ErrorCode } from '../../contract/errors.ts'
import type { PubSub } from '../pubsub/pubsub.ts'
import { ownerTopic } from '../pubsub/topics.ts'
import { hasConsented } from './cookies.ts'
import { contentTypeOf } from './json-body.ts'
import type { AllowedHosts } from './allowed-hosts.ts'
import type { Origins } from './origins.ts'
import { reject } from './problems.ts'
import { isAcceptableTarget } from './request-target.ts'

/** A request has at most this many headers; a browser sends some 20. */
const MAX_HEADERS = 200

/** Total size of all cookies; browsers send about a tenth of it. */
const MAX_COOKIE_CHARACTERS = 8 * 1024

/** Safe methods. All other methods count as writes. */
const READS = new Set(['GET', 'HEAD', 'OPTIONS'])

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The route only answers 405. */
    rejectsMethod?: true
    /** The route answers under any host name, because it reveals nothing about the installation and changes nothing. */
    answersAnyHost?: true
  }
}

/**
 * Checks a request before its body is read: its target and host, the size of its headers, the origin of a write,
 * its content type, and whether a browser's visitor has consented. A read changes nothing, so it needs none of the last three; deleting needs no consent.
 */
export function createAdmission(origins: Origins, hosts: AllowedHosts, asksConsent: boolean) {
  return function admit(request: FastifyRequest, reply: FastifyReply): FastifyReply | undefined {
    const code = rejectionOfHead(request, hosts) ?? (isWrite(request) ? rejectionOfWrite(request, origins, asksConsent) : undefined)
    if (!code) return undefined
    if (request.headers.host === undefined) reply.header('connection', 'close')
    return reject(reply, code)
  }
}

/** Headers that Node joins or drops when they are repeated, although a request means one value. */
const SINGLE_HEADERS = new Set(['host', 'authorization'])

function rejectionOfHead(request: FastifyRequest, hosts: AllowedHosts): ErrorCode | undefined {
  const { raw, headers } = request
  if (raw.rawHeaders.length / 2 > MAX_HEADERS) return 'headers_too_large'
  if ((headers.cookie?.length ?? 0) > MAX_COOKIE_CHARACTERS) return 'headers_too_large'
  // Health checks of load balancers use HTTP/1.0, which has no Host.
  if (headers.host === undefined && raw.httpVersion === '1.0' && request.routeOptions.config.answersAnyHost) return undefined
  if (headers.host === undefined || repeatsHeader(raw.rawHeaders) || !isAcceptableTarget(raw.url ?? '')) return 'invalid_request'
  const verdict = hosts.check(request.host)
  if (verdict === 'malformed') return 'invalid_request'
  // Load balancers and orchestrators probe a process by its address.
  return verdict === 'not_allowed' && !request.routeOptions.config.answersAnyHost ? 'host_not_allowed' : undefined
}

/** @param rawHeaders Names and values in turn. */
function repeatsHeader(rawHeaders: readonly string[]): boolean {
  const seen = new Set<string>()
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = (rawHeaders[index] as string).toLowerCase()
    if (!SINGLE_HEADERS.has(name)) continue
    if (seen.has(name)) return true
    seen.add(name)
  }
  return false
}

/** Whether a request can change something: no read, and not one that its route only rejects. */
export function isWrite(request: FastifyRequest): boolean {
  return !request.is404 && !READS.has(request.method) && !request.routeOptions.config.rejectsMethod
}

function rejectionOfWrite(request: FastifyRequest, origins: Origins, asksConsent: boolean): ErrorCode | undefined {
  if (origins.isForeign(request)) return 'cross_origin'
  if (hasBody(request)) {
    const type = contentTypeOf(request)
    if (type === 'ambiguous') return 'invalid_request'
    if (type === 'other') return 'unsupported_media_type'
  }
  // Deleting works after consent was withdrawn, because it stores nothing new.
  const needsConsent = asksConsent && request.method !== 'DELETE' && isBrowser(request)
  return needsConsent && !consents(request, origins) ? 'consent_required' : undefined
}

/** A POST and a PATCH have a body, be it `{}`, unless their route needs none: its JSON type is what a form of another site can't send. */
function hasBody({ method, headers, routeOptions: { config } }: FastifyRequest): boolean {
  const needsBody = (method === 'POST' || method === 'PATCH') && !config.needsNoBody
  return needsBody || headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0
}

/** Publishes the caller's topic after every write that succeeded, whatever it changed. */
export function publishAfterWrites(app: FastifyInstance, pubsub: PubSub): void {
  app.addHook('onResponse', async (request, reply) => {
    const owner = request.resolvedCaller?.lists
    if (owner && !READS.has(request.method) && reply.statusCode < 400) pubsub.publish(ownerTopic(owner))
  })
}

/** Whether a browser sent the request, by headers that pages can't change. */
export function isBrowser(request: FastifyRequest): boolean {
  return request.headers['sec-fetch-site'] !== undefined || request.headers.origin !== undefined
}

/** Whether a page of another site sent the request: its browser keeps no cookie of ours. */
export function isCrossSite({ headers }: FastifyRequest): boolean {
  return headers['sec-fetch-site'] === 'cross-site'
}

/** The page consents by cookie. A page of a listed origin cannot set it, and consents by a header, which no form can send. */
function consents(request: FastifyRequest, origins: Origins): boolean {
  return hasConsented(request) || (origins.isListed(request) && request.headers['privacy-consent'] === 'true')
}
