import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify'
import { type ErrorCode, PROBLEMS } from '../../contract/errors.ts'
import { type InvalidField, type Problem, PROBLEM_TYPE_PREFIX } from '../../contract/problem.ts'
import type { RejectionData } from '../../contract/rejection.ts'
import { isOutage, storageFaultOf } from '../store/engine/storage-fault.ts'
import { loggedId } from './log-serializers.ts'
import { API_HEADERS } from './security-headers.ts'
import type { Outage } from './outage.ts'

// Not imported: see egress/send-request.ts.
const { STATUS_CODES } = process.getBuiltinModule('node:http')

/** `Retry-After` of temporary rejections without a known end. */
const DEFAULT_RETRY_AFTER_S = 5

const MAX_DISCARDED_BYTES = 8 * 1024 * 1024
const DISCARD_MS = 5_000
const MAX_FIELDS = 20

/** The body of a rejection. It never contains anything that the client sent. */
function problemOf({ code, turn, challenge, percent, personalData, errors }: RejectionData): Problem {
  const { status, title } = PROBLEMS[code]
  return { type: PROBLEM_TYPE_PREFIX + code, title, status, code, turn, challenge, percent, personalData, errors }
}

declare module 'fastify' {
  interface FastifyInstance {
    /** Null until the database has been opened. */
    storageOutage: Outage | null
  }
  interface FastifyContextConfig {
    /** The body of rejections on this route, where its clients expect another form than RFC 9457. */
    rejectionBody?: (reason: RejectionData) => object
  }
}

const codes = new WeakMap<FastifyRequest, ErrorCode>()

export function rejectionCodeOf(request: FastifyRequest): ErrorCode | undefined {
  return codes.get(request)
}

/** Sends a rejection. Every route and hook rejects with this function. */
export function reject(reply: FastifyReply, reason: ErrorCode | RejectionData): FastifyReply {
  const { code, retryAfterS = DEFAULT_RETRY_AFTER_S, ...details } = typeof reason === 'string' ? { code: reason } : reason
  const { status } = PROBLEMS[code]
  codes.set(reply.request, code)
  if (isTemporary(status)) reply.header('retry-after', retryAfterS)
  const { rejectionBody } = reply.request.routeOptions.config
  if (rejectionBody)
    return reply
      .code(status)
      .type('application/json; charset=utf-8')
      .serializer(JSON.stringify)
      .send(rejectionBody({ code, ...details }))
  const problem = problemOf({ code, ...details })
  return reply.code(status).type('application/problem+json; charset=utf-8').serializer(JSON.stringify).send(problem)
}

function isTemporary(status: number): boolean {
  return status === 503 || status === 429
}

/** Answers a request that threw: errors of the framework become codes, everything else is logged and shown as `internal`. */
export function handleError(error: FastifyError, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const code = codeOf(error)
  if (code === 'body_too_large' || error instanceof TooManyBodies) return rejectOnSocket(request, reply, code)
  if (PROBLEMS[code].status >= 500) logFault(error, request, reply)
  return reject(reply, code === 'invalid_request' ? { code, errors: fieldsOf(error) } : code)
}

/** Names of fields, which have no other characters; the rest of a path is the client's. */
const FIELD = /^[A-Za-z0-9_-]{1,64}$/

function fieldsOf({ validation = [], validationContext }: FastifyError): InvalidField[] | undefined {
  if (validationContext !== 'body' && validationContext !== 'querystring') return undefined
  const place = validationContext === 'body' ? 'body' : 'query'
  const pointers = validation.map(({ instancePath }) => {
    const steps = instancePath.split('/').filter(Boolean)
    const foreign = steps.findIndex((step) => !FIELD.test(step))
    return ['#', ...(foreign === -1 ? steps : steps.slice(0, foreign))].join('/')
  })
  return [...new Set(pointers)].slice(0, MAX_FIELDS).map((pointer) => ({ in: place, pointer }))
}

function logFault(error: FastifyError, request: FastifyRequest, reply: FastifyReply): void {
  // The client disconnected before its request had arrived; this is not a fault.
  if (request.raw.destroyed && !request.raw.complete) return
  const { storageOutage } = reply.server
  if (storageOutage && isOutage(error)) storageOutage.failed(error, loggedRequest(request))
  else request.log.error({ err: error, ...loggedRequest(request) }, 'A request failed')
}

/** The failed call: its operation, method, route pattern and loggable ids. */
function loggedRequest({ id: operation, method, routeOptions, params }: FastifyRequest) {
  const ids = Object.entries(params as Record<string, string>).map(([name, id]) => [name, loggedId(id)])
  return { operation, method, route: routeOptions.url, ids: Object.fromEntries(ids) as Record<string, string> }
}

/** A rejection as raw HTTP, for clients that sent malformed or oversized requests. */
export function rawProblem(code: ErrorCode): string {
  const { status } = PROBLEMS[code]
  const body = JSON.stringify(problemOf({ code }))
  return [
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
    'content-type: application/problem+json; charset=utf-8',
    `content-length: ${Buffer.byteLength(body)}`,
    ...(isTemporary(status) ? [`retry-after: ${DEFAULT_RETRY_AFTER_S}`] : []),
    ...Object.entries(API_HEADERS).map(([name, value]) => `${name}: ${value}`),
    'connection: close',
    '',
    body,
  ].join('\r\n')
}

/** Rejects in mid-body and discards some of what still arrives: closed at once, the client would never read the rejection. */
function rejectOnSocket(request: FastifyRequest, reply: FastifyReply, code: ErrorCode): FastifyReply {
  reply.hijack()
  const { socket } = request.raw
  let discarded = 0
  request.raw.on('data', (chunk: Buffer) => {
    discarded += chunk.length
    // The client waits then, and finds the rejection.
    if (discarded > MAX_DISCARDED_BYTES) request.raw.pause()
  })
  const timer = setTimeout(() => socket.destroy(), DISCARD_MS)
  socket.once('close', () => clearTimeout(timer))
  socket.end(rawProblem(code))
  return reply
}

function codeOf(error: FastifyError): ErrorCode {
  if (error.validation) return codeOfValidation(error)
  if (error.code === 'FST_ERR_BAD_URL') return 'invalid_id'
  if (error.code === 'FST_ERR_CTP_BODY_TOO_LARGE') return 'body_too_large'
  if (error.code === 'FST_ERR_CTP_INVALID_MEDIA_TYPE') return 'unsupported_media_type'
  if (error instanceof InvalidJson) return 'invalid_json'
  if (error instanceof TooManyBodies) return 'too_many_requests'
  const storageFault = storageFaultOf(error)
  if (storageFault) return storageFault
  if (error.statusCode !== undefined && error.statusCode >= 400 && error.statusCode < 500) return 'invalid_request'
  return 'internal'
}

export class InvalidJson extends Error {}

/** The bodies that are arriving take too much memory, in all or of the client's network. */
export class TooManyBodies extends Error {}

function codeOfValidation(error: FastifyError): ErrorCode {
  if (error.validationContext === 'params') return 'invalid_id'
  // Rules in the contract use their error code as message.
  const named = error.validation?.find((issue) => issue.message && Object.hasOwn(PROBLEMS, issue.message))
  return (named?.message as ErrorCode | undefined) ?? 'invalid_request'
}
