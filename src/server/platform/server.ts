import fastify, { type FastifyInstance, type FastifyRequest, type FastifyServerOptions, LogController } from 'fastify'
import { randomUUID } from 'node:crypto'
import type { ServerResponse, IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import type { ErrorCode } from '../../contract/errors.ts'
import { rawProblem, handleError, reject } from './problems.ts'
import { type ZodTypeProvider, serializerCompiler, validatorCompiler } from 'fastify-type-provider-zod'
import { MAX_BODY_BYTES } from '../../contract/size-limits.ts'
import { constant } from '../constant.ts'
import { createAdmission } from './request-checks.ts'
import { AllowedHosts } from './allowed-hosts.ts'
import { withinRequest } from '../store/engine/waiting-time.ts'
import { networkOf } from '../limits/network.ts'
import { acceptJsonOnly } from './json-body.ts'
import { loggedError } from './log-serializers.ts'
import { Origins } from './origins.ts'
import { originForm } from './request-target.ts'
import { type SecurityHeadersOptions, createSecurityHeaders } from './security-headers.ts'

/** Answers bytes that are not an HTTP request. Responses to complete requests before them on the same connection are sent first. */
class ClientErrors {
  readonly #openResponses = new WeakMap<Socket, Set<ServerResponse>>()
  /** Sockets whose parser has failed: each further byte fails again. */
  readonly #broken = new WeakSet<Socket>()

  /** Must be called for each response when the head of its request has arrived. */
  track(response: ServerResponse): void {
    const { socket } = response.req
    const open = this.#openResponses.get(socket) ?? new Set()
    this.#openResponses.set(socket, open.add(response))
    response.once('close', () => open.delete(response))
  }

  reject(error: Error & { code?: string }, socket: Socket): void {
    if (this.#broken.has(socket)) return
    this.#broken.add(socket)
    const end = () => {
      if (socket.writable) socket.end(rawProblem(codeOf(error)), () => socket.destroy())
      else socket.destroy()
    }
    if (error.code === 'ECONNRESET' || !socket.writable) return void socket.destroy()
    // A request that is still arriving is what failed; Node sends responses in order, so the last of the others closes last.
    const last = [...(this.#openResponses.get(socket) ?? [])].findLast(({ req }) => req.complete)
    if (last) last.once('close', end)
    else end()
  }
}

function codeOf({ code }: { code?: string }): ErrorCode {
  if (code === 'HPE_HEADER_OVERFLOW') return 'headers_too_large'
  return code === 'ERR_HTTP_REQUEST_TIMEOUT' ? 'request_timeout' : 'invalid_request'
}

/** A request has to arrive within this time, headers and body. */
const REQUEST_TIMEOUT_MS = constant('requestTimeoutMs', 9_000)
const HEADERS_TIMEOUT_MS = REQUEST_TIMEOUT_MS - 1_000
const KEEP_ALIVE_TIMEOUT_MS = 65_000
/** How often Node checks for late requests. */
const CONNECTIONS_CHECK_INTERVAL_MS = 500
const MAX_HEADER_BYTES = 16 * 1024
const MAX_CONNECTIONS = 12_000
/** Ids have 128 characters at most; escaped, three times that. */
const MAX_PARAMETER_CHARACTERS = 512

/** Methods that each route has or rejects. */
const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE']

const NOT_FOUND_PAGE = '/#/not-found'

/** Zod's compilers. Set here rather than later, they stop Fastify from loading its own, some 5 MB. Its types know only Ajv's. */
const SCHEMA_CONTROLLER = {
  compilersFactory: { buildValidator: () => validatorCompiler, buildSerializer: () => serializerCompiler },
} as unknown as NonNullable<FastifyServerOptions['schemaController']>

export interface ServerOptions extends SecurityHeadersOptions {
  logLevel: string
  trustedProxies: string[]
  allowedOrigins: string[]
  host: string
  publicUrl: string | null
  /** Host names that requests can address, in addition to that of `publicUrl` and loopback names. */
  allowedHosts: string[]
}

/** Differences between the listener for visitors, the default, and that for staff. */
export interface Listener {
  headersFor: (request: FastifyRequest) => Readonly<Record<string, string>>
  asksConsent: boolean
}

/** A strict Fastify: no coercion, no dropped fields, no double decoding, no echoed input, and limits on everything. */
export function createServer(
  options: ServerOptions,
  listener: Listener = { headersFor: createSecurityHeaders(options), asksConsent: true },
) {
  const { headersFor, asksConsent } = listener
  const clientErrors = new ClientErrors()
  const origins = new Origins(options.allowedOrigins)
  const hosts = new AllowedHosts({ listenHost: options.host, publicUrl: options.publicUrl, allowedHosts: options.allowedHosts })
  const app = fastify({
    logger: {
      level: options.logLevel,
      serializers: { err: (error: unknown) => loggedError(error) as never },
    },
    // Addresses contain ids, and ids are not logged.
    logController: new LogController({ disableRequestLogging: true }),
    trustProxy: options.trustedProxies.length > 0 ? options.trustedProxies : false,
    // Only faults are logged, so requests need no child logger.
    childLoggerFactory: (logger) => logger,
    bodyLimit: MAX_BODY_BYTES,
    requestTimeout: REQUEST_TIMEOUT_MS,
    keepAliveTimeout: KEEP_ALIVE_TIMEOUT_MS,
    http: {
      maxHeaderSize: MAX_HEADER_BYTES,
      headersTimeout: HEADERS_TIMEOUT_MS,
      connectionsCheckingInterval: CONNECTIONS_CHECK_INTERVAL_MS,
      // Node would reject with an empty reply; `createAdmission` sends a problem.
      requireHostHeader: false,
    },
    // Before routing, so that everything behind it sees one form of a target.
    rewriteUrl: (request) => {
      // Routed like a method that no route has; they would need a router each.
      if (!METHODS.includes(request.method ?? '')) request.method = 'TRACE'
      return originForm(request)
    },
    routerOptions: { maxParamLength: MAX_PARAMETER_CHARACTERS },
    // Its reply, its log lines, its traces and its turn carry it. Clients can't choose it.
    genReqId: () => randomUUID(),
    frameworkErrors: (error, request, reply) => {
      handleError(error, request, reply.headers(headersFor(request)).header('x-request-id', request.id))
    },
    clientErrorHandler: (error, socket) => clientErrors.reject(error, socket),
    forceCloseConnections: 'idle',
    schemaController: SCHEMA_CONTROLLER,
  }).withTypeProvider<ZodTypeProvider>()
  app.server.maxConnections = MAX_CONNECTIONS
  app.server.on('request', (_request, response: ServerResponse) => clientErrors.track(response))
  // Node would close a tunnel without a reply, and reject an unknown `Expect` with an empty one.
  app.server.on('connect', (_request, socket: Socket) => clientErrors.reject(new Error('A tunnel'), socket))
  app.server.on('checkExpectation', ({ socket }: IncomingMessage) => clientErrors.reject(new Error('An unknown expectation'), socket))
  // Node drops headers over its limit silently; here they are counted and rejected.
  app.server.maxHeadersCount = 0
  app.addHook('onRoute', ({ method, url }) => app.log.debug({ methods: [method].flat(), url }, 'A route'))
  app.setErrorHandler(handleError)
  app.setNotFoundHandler((request, reply) => (isPageVisit(request) ? reply.redirect(NOT_FOUND_PAGE) : reject(reply, 'not_found')))
  // Stored on the reply: with many requests, a separate map would grow by megabytes between garbage collections.
  app.decorateReply('isStream', false)
  app.decorate('storageOutage', null)
  if (options.trustedProxies.length > 0) warnOfHiddenClients(app)
  if (hosts.acceptsAny) app.log.warn('Requests for any host name are answered. Set PUBLIC_URL or ALLOWED_HOSTS to restrict them.')
  const admit = createAdmission(origins, hosts, asksConsent)
  // One hook with a callback instead of three async ones, because it runs for every request.
  app.addHook('onRequest', (request, reply, done) => {
    reply.headers(headersFor(request)).header('x-request-id', request.id)
    if (!origins.share(request, reply) && !admit(request, reply)) done()
  })
  const timed = (request: FastifyRequest, _reply: unknown, done: () => void) => withinRequest(request, done)
  app.addHook('onRequest', timed)
  // A body arrives on its socket, outside of what the first hook began.
  app.addHook('preValidation', timed)
  acceptJsonOnly(app)
  return app
}

export type Server = ReturnType<typeof createServer>

/** Answers other methods on the routes that `register` registers with 405 and `Allow`. */
export function withMethodsRejected(app: Server, register: () => void): void {
  const methods = new Map<string, Set<string>>()
  let registering = true
  app.addHook('onRoute', (route) => {
    if (!registering) return
    const known = methods.get(route.url) ?? new Set()
    for (const method of [route.method].flat()) known.add(method)
    methods.set(route.url, known)
  })
  register()
  registering = false
  for (const [url, known] of methods) {
    const allow = [...known].sort().join(', ')
    const rejected = METHODS.filter((method) => !known.has(method))
    app.route({
      method: rejected,
      url,
      schema: { hide: true } as never,
      config: { rejectsMethod: true },
      onRequest: async (_request, reply) => reject(reply.header('allow', allow), 'method_not_allowed'),
      handler: async () => undefined,
    })
  }
}

/** Warns once if a trusted proxy on this machine sends no client address: its clients then share one network's limits. */
function warnOfHiddenClients(app: FastifyInstance): void {
  let isLogged = false
  app.addHook('onRequest', (request, _reply, done) => {
    if (!isLogged && !request.routeOptions.config.answersAnyHost && networkOf(request.ip).isLoopback) {
      isLogged = true
      app.log.warn(
        'A request came through a trusted proxy without a client address. Such requests share the limits of one network. Configure the proxy to set X-Forwarded-For.',
      )
    }
    done()
  })
}

/** Whether a browser navigated here: it gets the page's own not-found view. */
function isPageVisit(request: FastifyRequest): boolean {
  return request.method === 'GET' && !request.url.startsWith('/api/') && (request.headers.accept ?? '').includes('text/html')
}
