import type { Agent as HttpAgent, IncomingMessage } from 'node:http'
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https'
import { addAbortSignal } from 'node:stream'
import { setTimeout as pause } from 'node:timers/promises'
import { AgentFailure } from '../agent-failure.ts'
import { type AddressPolicy, OPERATOR_ALLOWED, OWN_NETWORK, PUBLIC_ONLY } from '../../egress/address-policy.ts'
import { addressWithin, checkAddress, lookupWithin, resolveName } from '../../egress/send-request.ts'
import { processProxy, proxyAgent } from '../../egress/outgoing-proxy.ts'
import type { ModelLimits } from '../model-limits.ts'
import { ModelError, readModelError } from './model-error.ts'
import { traceHeaders } from '../../telemetry/tracing/spans.ts'
import { onAbort } from '../../../async/abort.ts'

// Not imported: see egress/send-request.ts.
const http = process.getBuiltinModule('node:http')

const MAX_FREE_SOCKETS = 64
const MAX_ERROR_BYTES = 64 * 1024
/** A longer `Retry-After` ends the answer instead of delaying it. */
const MAX_AWAITED_RETRY_S = 5
const MAX_REPORTED_RETRY_S = 3600

export interface ModelRequest {
  url: URL
  method: string
  headers: Record<string, string>
  body: string | undefined
  signal: AbortSignal | undefined
}

/** A 2xx response with an unread body; `sentAt` is when the request was sent, by `performance.now()`. */
export interface ModelReply {
  response: IncomingMessage
  sentAt: number
}

export type SendToModel = (request: ModelRequest) => Promise<ModelReply>

/** `failure` applies if there is no retry; `mayRetry`: the model has not started an answer. */
type Attempt = { kind: 'reply'; reply: ModelReply } | { kind: 'failure'; failure: AgentFailure; mayRetry: boolean }

const POLICIES = { public: PUBLIC_ONLY, private: OWN_NETWORK }

type AgentFor = (url: URL) => HttpAgent | HttpsAgent

/**
 * Sends requests to a model; all of them go through here. Uses `node:http`, which costs a fraction of the global fetch per chunk and
 * reports when a socket is connected.
 * Resolves with 2xx responses only; everything else rejects with `AgentFailure` or the signal's reason. Doesn't follow redirects:
 * requests carry the key and the conversation, and must go only where the operator configured.
 */
export function createModelRequest(limits: ModelLimits, network?: keyof typeof POLICIES): SendToModel {
  const policy = network ? POLICIES[network] : OPERATOR_ALLOWED
  const agentFor = keptAgents(limits, policy)
  return async (request) => {
    try {
      checkAddress(request.url, policy)
      // A proxy would resolve the name for itself.
      if (network && processProxy(request.url)) await addressWithin(policy, resolveName, request.url.hostname)
    } catch (cause) {
      throw new AgentFailure('model_unavailable', 'The address of the model isn’t allowed.', { cause })
    }
    for (let repeats = 0; ; repeats += 1) {
      const attempt = await attemptRequest(request, agentFor(request.url), limits)
      if (attempt.kind === 'reply') return attempt.reply
      if (!attempt.mayRetry || repeats >= limits.maxRetries) throw attempt.failure
      await pauseBeforeRetry(limits.retryDelayMs, repeats, { afterS: attempt.failure.retryAfterS, signal: request.signal })
    }
  }
}

/** Agents that keep connections: one for each protocol and proxy. */
function keptAgents({ connectTimeoutMs: timeoutMs }: ModelLimits, policy: AddressPolicy): AgentFor {
  const lookup = policy !== OPERATOR_ALLOWED && { lookup: lookupWithin(policy, resolveName) }
  const options = { keepAlive: true, maxFreeSockets: MAX_FREE_SOCKETS, ...lookup }
  const agents = new Map<string, HttpAgent | HttpsAgent>()
  return (url) => {
    const { protocol } = url
    const proxy = processProxy(url)
    const key = `${protocol} ${proxy?.href}`
    const agent =
      agents.get(key) ??
      (proxy
        ? proxyAgent(proxy, protocol, { ...options, timeoutMs })
        : protocol === 'https:'
          ? new HttpsAgent(options)
          : new http.Agent(options))
    agents.set(key, agent)
    return agent
  }
}

async function attemptRequest(request: ModelRequest, agent: HttpAgent | HttpsAgent, limits: ModelLimits): Promise<Attempt> {
  const reply = await send(request, agent, limits)
  if (reply instanceof AgentFailure) return { kind: 'failure', failure: reply, mayRetry: reply.code === 'model_unavailable' }
  const { response } = reply
  const status = response.statusCode ?? 0
  if (status < 200 || status > 299) return rejectedAttempt(response, status, request, limits)
  const encoding = response.headers['content-encoding']
  if (encoding === undefined || encoding === 'identity') return { kind: 'reply', reply }
  response.destroy()
  const failure = new AgentFailure('model_failed', 'The model compressed its response despite accept-encoding: identity.')
  return { kind: 'failure', failure, mayRetry: false }
}

/** Sends the request and resolves with the response's head or a failure. Rejects with the signal's reason. */
function send(
  { url, method, headers, body, signal }: ModelRequest,
  agent: HttpAgent | HttpsAgent,
  limits: ModelLimits,
): Promise<ModelReply | AgentFailure> {
  const isSecure = url.protocol === 'https:'
  return new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(signal.reason as Error)
    const all = { ...headers, 'accept-encoding': 'identity', ...traceHeaders() }
    const request = (isSecure ? httpsRequest : http.request)(url, { method, headers: all, agent })
    let connectTimer: NodeJS.Timeout | undefined
    const headTimer = setTimeout(
      () => fail(new AgentFailure('model_timeout', 'The model did not respond in time.')),
      limits.firstDataTimeoutMs,
    )
    const finish = (settle: () => void) => {
      clearTimeout(connectTimer)
      clearTimeout(headTimer)
      removeListener()
      settle()
    }
    const fail = (failure: AgentFailure) => finish(() => (request.destroy(), resolve(failure)))
    const tooSlow = () => fail(new AgentFailure('model_unavailable', 'Connecting to the model timed out.'))
    const removeListener = onAbort(signal, (reason) => finish(() => (request.destroy(), reject(reason))))
    request.on('socket', (socket) => {
      if (!socket.connecting) return
      connectTimer = setTimeout(tooSlow, limits.connectTimeoutMs)
      socket.once(isSecure ? 'secureConnect' : 'connect', () => clearTimeout(connectTimer))
    })
    // Remains after the response: a late error of the request is reported by the body and must not end the process.
    request.on('error', (cause) => fail(new AgentFailure('model_unavailable', 'The connection to the model failed.', { cause })))
    request.on('response', (response) => finish(() => resolve({ response, sentAt })))
    const sentAt = performance.now()
    request.end(body)
  })
}

async function rejectedAttempt(response: IncomingMessage, status: number, request: ModelRequest, limits: ModelLimits): Promise<Attempt> {
  const retryAfterS = retryAfterOf(response)
  const { reason, words } = readModelError(status, await bodyOf(response, limits), request)
  const options = retryAfterS === undefined ? {} : { retryAfterS }
  const failure = new ModelError(status, `The model answered with status ${status}: ${words}.`, reason, options)
  return { kind: 'failure', failure, mayRetry: failure.isTransient && (retryAfterS ?? 0) <= MAX_AWAITED_RETRY_S }
}

function retryAfterOf(response: IncomingMessage): number | undefined {
  const value = response.headers['retry-after']
  if (value === undefined) return undefined
  const seconds = /^\d+$/.test(value) ? Number(value) : (Date.parse(value) - Date.now()) / 1000
  return Number.isFinite(seconds) ? Math.min(Math.max(0, Math.ceil(seconds)), MAX_REPORTED_RETRY_S) : undefined
}

/** The body, as far as it arrives in time. */
async function bodyOf(response: IncomingMessage, limits: ModelLimits): Promise<string> {
  let text = ''
  try {
    for await (const piece of addAbortSignal(AbortSignal.timeout(limits.connectTimeoutMs), response.setEncoding('utf8'))) {
      text += piece as string
      if (text.length > MAX_ERROR_BYTES) break
    }
  } catch {
    // What has arrived is enough.
  }
  return text
}

/** Waits before a repeated request. Throws the reason of the signal when it aborts. */
export async function pauseBeforeRetry(
  delayMs: number,
  repeats: number,
  { afterS = 0, signal }: { afterS?: number | undefined; signal: AbortSignal | undefined },
): Promise<void> {
  // Half of the delay is random, so that answers that failed together don't retry together.
  const waitMs = Math.max(delayMs * 2 ** repeats * (0.5 + Math.random()), afterS * 1000)
  await pause(waitMs, undefined, signal && { signal }).catch(() => signal?.throwIfAborted())
}
