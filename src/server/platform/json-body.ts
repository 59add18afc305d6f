import type { FastifyInstance, FastifyRequest } from 'fastify'
import { MAX_BODY_BYTES } from '../../contract/size-limits.ts'
import { InvalidJson } from './problems.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The route takes arbitrary bytes instead of JSON, perhaps of several types. */
    takesBytes?: true | readonly string[]
    /** The route needs no body: an empty one counts as `{}`, with any declared JSON type or none. */
    needsNoBody?: true
  }
}

/** Forms of other sites cannot send this type. */
const BYTES_TYPE = 'application/octet-stream'

const utf8 = new TextDecoder('utf-8', { fatal: true })

/** Parses bodies strictly as UTF-8 JSON, without repair or coercion. Rejects other types with 415, except on routes that take bytes. */
export function acceptJsonOnly(app: FastifyInstance): void {
  app.removeAllContentTypeParsers()
  // Only routes that take bytes get this far.
  app.addContentTypeParser(BYTES_TYPE, { parseAs: 'buffer', bodyLimit: MAX_BODY_BYTES }, (_, body, done) => done(null, body))
  app.addContentTypeParser('application/json', { parseAs: 'buffer', bodyLimit: MAX_BODY_BYTES }, (request, body, done) => {
    try {
      done(null, readBody(request, body as Buffer))
    } catch {
      done(new InvalidJson('The body is not JSON in UTF-8'))
    }
  })
}

/** Whether the headers announce a body that the route can read: once, in UTF-8 if it is JSON, not compressed. */
export function contentTypeOf(request: FastifyRequest): 'wanted' | 'other' | 'ambiguous' {
  const names = request.raw.rawHeaders.filter((_, index) => index % 2 === 0)
  if (names.filter((name) => name.toLowerCase() === 'content-type').length > 1) return 'ambiguous'
  const [type, ...parameters] = (request.headers['content-type'] ?? '')
    .toLowerCase()
    .split(';')
    .map((part) => part.trim())
  const encoding = request.headers['content-encoding']
  const charsets = parameters.filter((parameter) => /^charset\s*=/.test(parameter))
  if (charsets.length > 1) return 'ambiguous'
  const [charset] = charsets
  const readable = charset === undefined || /^charset="?utf-8"?$/.test(charset)
  const { takesBytes } = request.routeOptions.config
  const wanted = takesBytes === true ? [BYTES_TYPE] : (takesBytes ?? ['application/json'])
  return wanted.includes(type ?? '') && readable && (encoding === undefined || encoding === 'identity') ? 'wanted' : 'other'
}

function readBody(request: FastifyRequest, body: Buffer): unknown {
  // Many clients send a content type with every request.
  const needsBody = request.method !== 'DELETE' && !request.routeOptions.config.needsNoBody
  if (!needsBody && body.length === 0) return undefined
  // Keys like `__proto__` become plain own keys here and are rejected by the strict schemas.
  return JSON.parse(utf8.decode(body))
}
