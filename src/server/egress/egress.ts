import type { IncomingMessage } from 'node:http'
import { type Readable, Transform, pipeline } from 'node:stream'
import { createBrotliDecompress, createInflate, createUnzip } from 'node:zlib'
import { EgressError } from './egress-error.ts'
import { type AddressPolicy, OPERATOR_ALLOWED } from './address-policy.ts'
import { traceHeaders } from '../telemetry/tracing/spans.ts'
import { headersOf, type OutgoingRequest, type Resolver, resolveName, sendRequest } from './send-request.ts'
import { processProxy, type ProxyFor } from './outgoing-proxy.ts'
import { onAbort } from '../../async/abort.ts'

export interface EgressLimits {
  connectTimeoutMs: number
  /** For the whole request, redirects and body included. */
  totalTimeoutMs: number
  maxBytes: number
  maxRedirects: number
}

export interface EgressOptions {
  addressPolicy: AddressPolicy
  limits: EgressLimits
  resolve?: Resolver
  proxyFor?: ProxyFor
}

export interface EgressRequest {
  url: URL
  method?: string | undefined
  headers?: Record<string, string> | undefined
  body?: string | Uint8Array | undefined
  signal?: AbortSignal | undefined
}

export interface EgressResponse {
  url: URL
  status: number
  headers: Headers
  /** Decompressed; fails with `EgressError` if it breaks or exceeds a limit. The caller must consume or destroy it. */
  body: Readable
}

export type Egress = (request: EgressRequest) => Promise<EgressResponse>

const REDIRECTS = [301, 302, 303, 307, 308]
/** Headers that may be sent to another origin after a redirect: no key, no cookie. */
const CROSS_ORIGIN_HEADERS = ['accept', 'accept-encoding', 'accept-language', 'range', 'user-agent']

/**
 * Sends all outgoing requests except those to models, bounded in time and size, and checks every request against the address policy.
 * Follows up to `maxRedirects` redirects (0: returns them), to another origin only with harmless headers.
 * Rejects with `EgressError` or the signal's reason.
 */
export function createEgress({ addressPolicy, limits, resolve = resolveName, proxyFor = processProxy }: EgressOptions): Egress {
  return async ({ url, method = 'GET', headers = {}, body, signal }) => {
    const { signal: within, release } = bounded(limits.totalTimeoutMs, signal)
    const options = { addressPolicy, resolve, proxyFor, connectTimeoutMs: limits.connectTimeoutMs, signal: within }
    try {
      // Traces continue at the operator's own hosts, and nowhere else.
      const traced = addressPolicy === OPERATOR_ALLOWED ? traceHeaders() : {}
      let request: OutgoingRequest = { url, method, headers: { ...traced, ...lowerCased(headers) }, body }
      for (let redirects = 0; ; redirects += 1) {
        const response = await sendRequest(request, options)
        const next = limits.maxRedirects > 0 ? redirectOf(request, response) : null
        if (!next) return replyOf(request.url, response, limits, within, release)
        response.destroy()
        if (redirects >= limits.maxRedirects) throw new EgressError('too-many-redirects')
        request = next
      }
    } catch (error) {
      release()
      throw within.aborted ? within.reason : error
    }
  }
}

export async function readBody(body: Readable): Promise<Buffer> {
  const chunks: Buffer[] = []
  for await (const chunk of body) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks)
}

/** A signal that aborts after `timeoutMs` or with `signal`. `release` cleans up. */
function bounded(timeoutMs: number, signal: AbortSignal | undefined) {
  const controller = new AbortController()
  const timer = Number.isFinite(timeoutMs) ? setTimeout(() => controller.abort(new EgressError('too-slow')), timeoutMs) : undefined
  const removeListener = onAbort(signal, (reason) => controller.abort(reason))
  const release = () => {
    clearTimeout(timer)
    removeListener()
  }
  return { signal: controller.signal, release }
}

function redirectOf({ url, method, headers, body }: OutgoingRequest, response: IncomingMessage): OutgoingRequest | null {
  const { statusCode = 0, headers: responseHeaders } = response
  if (!REDIRECTS.includes(statusCode) || responseHeaders.location === undefined) return null
  const next = URL.parse(responseHeaders.location, url.href)
  if (!next) throw new EgressError('bad-address')
  const becomesGet = statusCode === 303 || (statusCode < 303 && method === 'POST')
  const isElsewhere = next.origin !== url.origin
  // A body is meant for its original receiver only.
  if (isElsewhere && !becomesGet && body !== undefined) throw new EgressError('forbidden-address')
  const isAllowed = (name: string) => (isElsewhere ? CROSS_ORIGIN_HEADERS.includes(name) : !becomesGet || !name.startsWith('content-'))
  return {
    url: next,
    method: becomesGet && method !== 'HEAD' ? 'GET' : method,
    headers: Object.fromEntries(Object.entries(headers).filter(([name]) => isAllowed(name))),
    body: becomesGet ? undefined : body,
  }
}

function replyOf(
  url: URL,
  response: IncomingMessage,
  { maxBytes }: EgressLimits,
  signal: AbortSignal,
  release: () => void,
): EgressResponse {
  const decoders = decodersOf(response)
  if (decoders === null) {
    response.destroy()
    throw new EgressError('unreadable')
  }
  const headers = headersOf(response)
  // These describe the encoded body.
  if (decoders.length > 0) for (const name of ['content-encoding', 'content-length']) headers.delete(name)
  const body = withinSize(maxBytes, (cause) => (signal.aborted ? (signal.reason as Error) : failureOf(cause)))
  const removeListener = onAbort(signal, (reason) => body.destroy(reason))
  pipeline([response, ...decoders, body], () => {
    removeListener()
    release()
  })
  return { url, status: response.statusCode ?? 0, headers, body }
}

function failureOf(cause: NodeJS.ErrnoException): EgressError {
  if (cause instanceof EgressError) return cause
  return new EgressError(/^(Z_|ERR_.*BROTLI|ERR__ERROR)/.test(cause.code ?? '') ? 'unreadable' : 'unreachable', cause)
}

/** `null` for an unsupported encoding. Only one at a time: stacked encodings multiply the expansion. */
function decodersOf(response: IncomingMessage): Transform[] | null {
  const encoding = (response.headers['content-encoding'] ?? 'identity').trim().toLowerCase()
  if (encoding === 'identity') return []
  if (encoding === 'gzip' || encoding === 'x-gzip') return [createUnzip()]
  if (encoding === 'deflate') return [createInflate()]
  return encoding === 'br' ? [createBrotliDecompress()] : null
}

function withinSize(maxBytes: number, failureOfCause: (cause: Error) => Error): Transform {
  let size = 0
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      size += chunk.length
      if (size > maxBytes) done(new EgressError('too-large'))
      else done(null, chunk)
    },
    destroy: (cause, done) => done(cause && failureOfCause(cause)),
  })
}

function lowerCased(headers: Record<string, string>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]))
}
