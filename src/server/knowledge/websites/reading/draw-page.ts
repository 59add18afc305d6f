import { lookup } from 'node:dns/promises'
import { isIP } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { z } from 'zod'
import { abortable, onAbort } from '../../../../async/abort.ts'
import { PendingRequests } from '../../../../async/pending-requests.ts'
import { OPERATOR_ALLOWED, OWN_NETWORK, PUBLIC_ONLY } from '../../../egress/address-policy.ts'
import { createEgress, type Egress, readBody } from '../../../egress/egress.ts'
import { USER_AGENT } from './robots.ts'

/** For drawing, within the time that a page may take to read. */
const DRAW_LIMIT_MS = 20_000
/** A page without a request for so long has drawn. */
const QUIET_MS = 500
const MAX_REQUESTS = 100
const LIMITS = { connectTimeoutMs: 5_000, totalTimeoutMs: 10_000, maxBytes: 8_000_000, maxRedirects: 0 }
const MAX_CHARACTERS = 4_000_000
/** Kinds of what a page may load. Frames, pictures, fonts and films have no text that is read. */
const LOADED = ['Script', 'Stylesheet', 'XHR', 'Fetch']
/** Where nothing listens: the browser's own way out leads nowhere, whatever a page tries. */
const NO_PROXY = { proxyServer: 'http://127.0.0.1:9', proxyBypassList: '<-loopback>' }
/** Takes away connections that go through no proxy. */
const NO_DIRECT_CONNECTIONS = 'delete window.RTCPeerConnection; delete window.webkitRTCPeerConnection; delete window.WebTransport'

/** A Chromium that the operator runs. */
export interface BrowserAccess {
  url: string
  network: 'public' | 'private'
}

/** A page can't be drawn. The message is a sentence for the operator. */
export class DrawingFailed extends Error {}

interface FetchedPage {
  html: string
  address: string
}

/**
 * Returns the HTML of a page after its scripts have run. The browser has no connection of its own: each request of the page is sent by
 * the guarded egress, if it only reads. @throws {DrawingFailed}
 */
export async function drawPage(page: FetchedPage, { url, network }: BrowserAccess): Promise<string> {
  const within = AbortSignal.timeout(DRAW_LIMIT_MS)
  const browser = await Devtools.connect(url, within)
  try {
    return await drawIn(browser, page, createEgress({ addressPolicy: network === 'private' ? OWN_NETWORK : PUBLIC_ONLY, limits: LIMITS }))
  } finally {
    browser.close()
  }
}

async function drawIn(browser: Devtools, { html, address }: FetchedPage, egress: Egress): Promise<string> {
  const { browserContextId } = await browser.send('Target.createBrowserContext', { disposeOnDetach: true, ...NO_PROXY })
  const { targetId } = await browser.send('Target.createTarget', { url: 'about:blank', browserContextId })
  const { sessionId } = await browser.send('Target.attachToTarget', { targetId, flatten: true })
  const send = (method: string, params: object = {}) => browser.send(method, params, sessionId)
  let requests = 0
  const state = { isLoaded: false, waiting: 0, quietSince: performance.now() }
  const reply = async ({ requestId, request, resourceType }: Paused): Promise<void> => {
    requests += 1
    const isPage = resourceType === 'Document' && requests === 1
    const mayLoad = isPage || (LOADED.includes(resourceType) && /^(?:GET|HEAD)$/.test(request.method) && requests <= MAX_REQUESTS)
    if (!mayLoad) return void (await send('Fetch.failRequest', { requestId, errorReason: 'Aborted' }))
    const response = isPage ? pageResponse(html) : await load(egress, request)
    await (response
      ? send('Fetch.fulfillRequest', { requestId, ...response })
      : send('Fetch.failRequest', { requestId, errorReason: 'AccessDenied' }))
  }
  browser.on('Fetch.requestPaused', (params) => {
    state.waiting += 1
    const settle = () => {
      state.waiting -= 1
      state.quietSince = performance.now()
    }
    reply(Paused.parse(params)).then(settle, settle)
  })
  browser.on('Page.loadEventFired', () => (state.isLoaded = true))
  browser.on('Page.javascriptDialogOpening', () => {
    send('Page.handleJavaScriptDialog', { accept: false }).catch(() => undefined)
  })
  // Workers and other frames wait for a debugger that never comes.
  await send('Target.setAutoAttach', { autoAttach: true, waitForDebuggerOnStart: true, flatten: true })
  await send('Page.enable')
  await send('Page.addScriptToEvaluateOnNewDocument', { source: NO_DIRECT_CONNECTIONS })
  await send('Fetch.enable', { patterns: [{ urlPattern: '*' }] })
  const { frameId } = await send('Page.navigate', { url: address })
  const end = performance.now() + DRAW_LIMIT_MS / 2
  const hasDrawn = () => state.isLoaded && state.waiting === 0 && performance.now() - state.quietSince > QUIET_MS
  while (performance.now() < end && !hasDrawn()) await pause(50)
  // A world of our own, in which the page has changed nothing.
  const { executionContextId } = await send('Page.createIsolatedWorld', { frameId })
  const expression = `document.documentElement.outerHTML.slice(0, ${MAX_CHARACTERS})`
  const { result } = await send('Runtime.evaluate', { expression, contextId: executionContextId, returnByValue: true })
  return result?.value ?? ''
}

function pageResponse(html: string) {
  const responseHeaders = [{ name: 'content-type', value: 'text/html; charset=utf-8' }]
  return { responseCode: 200, responseHeaders, body: Buffer.from(html).toString('base64') }
}

/** `null` if it can't be loaded, or may not. */
async function load(egress: Egress, { url, method, headers }: Paused['request']) {
  try {
    const sent = Object.fromEntries(Object.entries(headers).filter(([name]) => /^(?:accept|accept-language|origin|referer)$/i.test(name)))
    const response = await egress({ url: new URL(url), method, headers: { ...sent, 'user-agent': USER_AGENT } })
    const body = (await readBody(response.body)).toString('base64')
    const responseHeaders = [...response.headers].map(([name, value]) => ({ name, value }))
    return { responseCode: response.status, responseHeaders, body }
  } catch {
    return null
  }
}

const Paused = z.object({
  requestId: z.string(),
  resourceType: z.string(),
  request: z.object({ url: z.string(), method: z.string(), headers: z.record(z.string(), z.string()) }),
})
type Paused = z.infer<typeof Paused>

const Result = z.object({
  browserContextId: z.string().optional(),
  targetId: z.string().optional(),
  sessionId: z.string().optional(),
  frameId: z.string().optional(),
  executionContextId: z.number().optional(),
  result: z.object({ value: z.string().optional() }).optional(),
})
type Result = z.infer<typeof Result>
const Message = z.object({
  id: z.number().default(0),
  method: z.string().default(''),
  params: z.unknown().optional(),
  result: Result.optional(),
})

/** A connection to a Chromium: https://chromedevtools.github.io/devtools-protocol/ */
class Devtools {
  readonly #socket: WebSocket
  readonly #calls = new PendingRequests<Result>()
  readonly #listeners = new Map<string, (params: unknown) => void>()

  private constructor(socket: WebSocket, within: AbortSignal) {
    this.#socket = socket
    socket.addEventListener('message', ({ data }) => {
      const { id, method, params, result } = Message.parse(JSON.parse(String(data)))
      this.#listeners.get(method)?.(params)
      if (result) this.#calls.resolve(id, result)
      else this.#calls.reject(id, new DrawingFailed('The browser of BROWSER_URL cannot draw it.'))
    })
    socket.addEventListener('close', () => this.#fail('The browser of BROWSER_URL ended.'))
    onAbort(within, () => this.#fail('It takes too long to draw.'))
  }

  static async connect(address: string, within: AbortSignal): Promise<Devtools> {
    try {
      // oxlint-disable-next-line no-restricted-globals -- The egress has no connections that stay open; this one is to the operator's browser.
      const socket = new WebSocket(await debuggerAddress(address))
      const { promise, resolve, reject } = Promise.withResolvers<void>()
      socket.addEventListener('open', () => resolve())
      socket.addEventListener('error', () => reject(new Error('The browser refuses the connection')))
      await abortable(promise, AbortSignal.any([within, AbortSignal.timeout(LIMITS.connectTimeoutMs)]))
      return new Devtools(socket, within)
    } catch (error) {
      throw new DrawingFailed('It needs a browser, and that of BROWSER_URL cannot be reached.', { cause: error })
    }
  }

  send(method: string, params: object, sessionId?: string): Promise<Result> {
    return this.#calls.send((id) =>
      this.#socket.send(JSON.stringify({ id, method, params, ...(sessionId !== undefined && { sessionId }) })),
    )
  }

  on(method: string, listener: (params: unknown) => void): void {
    this.#listeners.set(method, listener)
  }

  close(): void {
    this.#socket.close()
  }

  #fail(message: string): void {
    this.#calls.rejectAll(new DrawingFailed(message))
    this.close()
  }
}

/** The address of the connection, which a browser tells at its HTTP address, if that is an IP address, localhost or by TLS. */
async function debuggerAddress(address: string): Promise<URL> {
  const url = new URL(address)
  const { hostname, protocol } = url
  if (/^(?:http|ws):$/.test(protocol) && hostname !== 'localhost' && isIP(hostname.replace(/[[\]]/g, '')) === 0) {
    const { address: found, family } = await lookup(hostname)
    url.hostname = family === 6 ? `[${found}]` : found
  }
  if (protocol.startsWith('ws')) return url
  const { body } = await createEgress({ addressPolicy: OPERATOR_ALLOWED, limits: LIMITS })({ url: new URL('/json/version', url) })
  const told = z.object({ webSocketDebuggerUrl: z.url() }).parse(JSON.parse((await readBody(body)).toString()))
  const found = new URL(told.webSocketDebuggerUrl)
  found.protocol = protocol === 'https:' ? 'wss:' : 'ws:'
  found.host = url.host
  return found
}
