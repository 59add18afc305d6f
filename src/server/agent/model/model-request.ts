import type { Agent as HttpAgent, IncomingMessage } from 'node:http'
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https'
import { setTimeout as pause } from 'node:timers/promises'
import { urlToHttpOptions } from 'node:url'
import { AgentFailure } from '../answer/agent-failure.ts'
import type { ModelLimits } from './model-limits.ts'
import { ModelError, readModelError } from './model-error.ts'
import { onAbort } from '../../abort.ts'

// Not imported: see egress/send-request.ts.
const http = process.getBuiltinModule('node:http')

/** Connections kept open for the next request to the same model. */
const MAX_FREE_SOCKETS = 64
/** More of a refusal's body is not read. */
const MAX_ERROR_BYTES = 64 * 1024
/** A model that wants to be left alone for longer is not asked again for the same answer. */
const MAX_AWAITED_RETRY_S = 5
/** What a model says of when to come back is passed on up to this. */
const MAX_REPORTED_RETRY_S = 3600
/** Statuses by which a model says that it is overloaded. */
const BUSY_STATUSES = [429, 503, 529]

export interface ModelRequest {
  url: URL
  method: string
  headers: Record<string, string>
  body: string | undefined
  signal: AbortSignal | undefined
  /** The request is sent when this has resolved. */
  ready?: Promise<unknown> | undefined
}

/** A 2xx reply whose body was not read yet; `sentAt` is when its request went out, by `performance.now()`. */
export interface ModelReply {
  response: IncomingMessage
  sentAt: number
}

export type SendToModel = (request: ModelRequest) => Promise<ModelReply>

/** `failure` says how the answer ends when it is not tried again; `mayRetry` that the model received or began nothing. */
type Attempt = { kind: 'reply'; reply: ModelReply } | { kind: 'failure'; failure: AgentFailure; mayRetry: boolean }

type Agents = Record<'http:' | 'https:', HttpAgent | HttpsAgent>

/**
 * The only way to a model. Built on `node:http`, which costs a fraction of the global fetch by the chunk,
 * and whose sockets tell when they are connected.
 * Resolves with 2xx replies only; everything else rejects with `AgentFailure`, or with the signal's reason.
 * Redirects are not followed: a request carries the key and the conversation, and goes where the operator said.
 */
export function createModelRequest(limits: ModelLimits): SendToModel {
  const agents: Agents = {
    'http:': new http.Agent({ keepAlive: true, maxFreeSockets: MAX_FREE_SOCKETS }),
    'https:': new HttpsAgent({ keepAlive: true, maxFreeSockets: MAX_FREE_SOCKETS }),
  }
  return async (request) => {
    const { protocol } = request.url
    if (protocol !== 'http:' && protocol !== 'https:')
      throw new AgentFailure('model_unavailable', 'The address of the model is not http or https.')
    for (let repeats = 0; ; repeats += 1) {
      const attempt = await attemptRequest(request, agents[protocol], limits)
      if (attempt.kind === 'reply') return attempt.reply
      if (!attempt.mayRetry || repeats >= limits.maxRetries) throw attempt.failure
      const delayMs = Math.max(retryDelay(limits.retryDelayMs, repeats), (attempt.failure.retryAfterS ?? 0) * 1000)
      await pause(delayMs, undefined, request.signal && { signal: request.signal }).catch(() => request.signal?.throwIfAborted())
    }
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
  const failure = new AgentFailure('model_failed', 'The model compressed its answer, which was not asked for.')
  return { kind: 'failure', failure, mayRetry: false }
}

/** Sends the request; resolves with the reply's head, or with the failure to get one. Rejects with the signal's reason. */
function send(
  { url, method, headers, body, signal, ready }: ModelRequest,
  agent: HttpAgent | HttpsAgent,
  limits: ModelLimits,
): Promise<ModelReply | AgentFailure> {
  const isSecure = url.protocol === 'https:'
  return new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(signal.reason as Error)
    const request = (isSecure ? httpsRequest : http.request)({
      ...requestOptionsOf(url),
      method,
      headers: headerLines(url, headers, body),
      agent,
    })
    let sentAt = 0
    let connectTimer: NodeJS.Timeout | undefined
    let headTimer: NodeJS.Timeout | undefined
    const finish = (settle: () => void) => {
      clearTimeout(connectTimer)
      clearTimeout(headTimer)
      removeListener()
      settle()
    }
    const fail = (failure: AgentFailure) => finish(() => (request.destroy(), resolve(failure)))
    const tooSlow = () => fail(new AgentFailure('model_unavailable', 'The model could not be connected to in time.'))
    const sendNow = () => {
      if (request.destroyed) return
      sentAt = performance.now()
      headTimer = setTimeout(() => fail(new AgentFailure('model_timeout', 'The model did not answer in time.')), limits.firstDataTimeoutMs)
      request.end(body)
    }
    const removeListener = onAbort(signal, (reason) => finish(() => (request.destroy(), reject(reason))))
    request.on('socket', (socket) => {
      if (!socket.connecting) return
      connectTimer = setTimeout(tooSlow, limits.connectTimeoutMs)
      socket.once(isSecure ? 'secureConnect' : 'connect', () => clearTimeout(connectTimer))
    })
    // Stays on after the reply: a late error of the request is the body's to report, and must not end the process.
    request.on('error', (cause) => fail(new AgentFailure('model_unavailable', 'The connection to the model failed.', { cause })))
    request.on('response', (response) => finish(() => resolve({ response, sentAt })))
    if (ready) ready.then(sendNow, reject)
    else sendNow()
  })
}

/** What Node makes of an address, which is the same for all prompts. */
const requestOptions = new WeakMap<URL, ReturnType<typeof urlToHttpOptions>>()

function requestOptionsOf(url: URL): ReturnType<typeof urlToHttpOptions> {
  const options = requestOptions.get(url) ?? urlToHttpOptions(url)
  requestOptions.set(url, options)
  return options
}

/** Names and values in turn, which Node writes as they are: it would look at each of an object several times. */
function headerLines({ host }: URL, headers: Record<string, string>, body: string | undefined): string[] {
  const length = body === undefined ? [] : ['content-length', String(Buffer.byteLength(body))]
  return ['host', host, ...Object.entries(headers).flat(), 'accept-encoding', 'identity', ...length]
}

async function rejectedAttempt(response: IncomingMessage, status: number, request: ModelRequest, limits: ModelLimits): Promise<Attempt> {
  const retryAfterS = retryAfterOf(response)
  const { reason, words } = readModelError(status, await bodyOf(response, limits), request)
  const isBusy = BUSY_STATUSES.includes(status)
  const code = isBusy ? 'model_busy' : reason.kind === 'context' ? 'context_too_long' : 'model_unavailable'
  const options = retryAfterS === undefined ? {} : { retryAfterS }
  const failure = new ModelError(code, `The model answered with status ${status}: ${words}.`, reason, options)
  const isTransient = isBusy || (status >= 500 && reason.kind === 'other')
  return { kind: 'failure', failure, mayRetry: isTransient && (retryAfterS ?? 0) <= MAX_AWAITED_RETRY_S }
}

function retryAfterOf(response: IncomingMessage): number | undefined {
  const value = response.headers['retry-after']
  if (value === undefined) return undefined
  const seconds = /^\d+$/.test(value) ? Number(value) : (Date.parse(value) - Date.now()) / 1000
  return Number.isFinite(seconds) ? Math.min(Math.max(0, Math.ceil(seconds)), MAX_REPORTED_RETRY_S) : undefined
}

function bodyOf(response: IncomingMessage, limits: ModelLimits): Promise<string> {
  return new Promise((resolve) => {
    let text = ''
    const finish = () => {
      clearTimeout(timer)
      resolve(text)
      response.destroy()
    }
    const timer = setTimeout(finish, limits.connectTimeoutMs)
    response.setEncoding('utf8')
    response.on('data', (piece: string) => {
      text += piece
      if (text.length > MAX_ERROR_BYTES) finish()
    })
    response.once('close', finish)
    response.once('error', finish)
  })
}

/** Half of the delay is random, so that many answers that failed together are not repeated together. */
function retryDelay(delayMs: number, repeats: number): number {
  return delayMs * 2 ** repeats * (0.5 + Math.random())
}
