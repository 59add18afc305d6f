import type { Agent, AgentOptions } from 'node:http'
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https'
import { BlockList, isIP } from 'node:net'
import type { Duplex } from 'node:stream'
import { connect as connectTls } from 'node:tls'
import { callbackify } from 'node:util'

// Not imported: see send-request.ts.
const http = process.getBuiltinModule('node:http')

/** `HTTPS_PROXY`, `HTTP_PROXY` and `NO_PROXY` as other programs read them. */
export type ProxyEnvironment = Readonly<Record<string, string | undefined>>

/** The proxy for a request to an address; `null` if it goes there directly. */
export type ProxyFor = (url: URL) => URL | null

const LOOPBACK = /^(localhost|.*\.localhost|127(\.\d+){3}|\[?::1\]?)$/i

let current: ProxyFor = () => null

/** Sends what leaves from now on through the proxies of the environment, other than what `NO_PROXY` names and this machine itself. */
export function useProxies(environment: ProxyEnvironment): void {
  current = proxiesOf(environment)
}

export const processProxy: ProxyFor = (url) => current(url)

export function proxiesOf(environment: ProxyEnvironment): ProxyFor {
  const value = (name: string) => environment[name] || environment[name.toLowerCase()] || ''
  const proxies: Record<string, URL | null> = { 'https:': URL.parse(value('HTTPS_PROXY')), 'http:': URL.parse(value('HTTP_PROXY')) }
  const exempt = value('NO_PROXY')
    .split(/[\s,]+/)
    .filter((entry) => entry !== '')
  return (url) => {
    const proxy = proxies[url.protocol] ?? null
    return proxy === null || LOOPBACK.test(url.hostname) || exempt.some((entry) => isExempt(url, entry)) ? null : proxy
  }
}

/** Whether an entry of `NO_PROXY` means the host: `*`, a name with all below it, an address, or a network like 10.0.0.0/8. */
function isExempt(url: URL, entry: string): boolean {
  const host = url.hostname.replace(/^\[(.*)\]$/, '$1').toLowerCase()
  const [network = '', bits] = entry.split('/')
  if (bits !== undefined && isIP(network) !== 0) return isIP(host) === isIP(network) && isWithin(host, network, Number(bits))
  const [, name = '', port] = isIP(entry) === 6 ? [entry, entry] : (/^\*?\.?(.*?)(?::(\d+))?$/.exec(entry.toLowerCase()) ?? [])
  if (port !== undefined && port !== (url.port || (url.protocol === 'https:' ? '443' : '80'))) return false
  return entry === '*' || host === name || host.endsWith(`.${name}`)
}

function isWithin(host: string, network: string, bits: number): boolean {
  const family = isIP(network) === 6 ? 'ipv6' : 'ipv4'
  const list = new BlockList()
  list.addSubnet(network, bits, family)
  return list.check(host, family)
}

/** Why a proxy opened no connection; `code` is `PROXY_407` for its status 407. */
class ProxyRefusal extends Error {
  readonly code: string

  constructor(status: number) {
    super(`The proxy replied with status ${status}.`)
    this.code = `PROXY_${status}`
  }
}

interface Tunnel {
  proxy: URL
  host: string
  port: number
  timeoutMs: number
  signal?: AbortSignal | undefined
}

function openTunnel({ proxy, host, port, timeoutMs, signal }: Tunnel): Promise<Duplex> {
  const target = `${isIP(host) === 6 ? `[${host}]` : host}:${port}`
  const { username, password } = proxy
  const credentials = Buffer.from(`${decodeURIComponent(username)}:${decodeURIComponent(password)}`).toString('base64')
  return new Promise((resolve, reject) => {
    const request = (proxy.protocol === 'https:' ? httpsRequest : http.request)({
      method: 'CONNECT',
      host: proxy.hostname.replace(/^\[(.*)\]$/, '$1'),
      port: proxy.port || (proxy.protocol === 'https:' ? 443 : 80),
      path: target,
      headers: { host: target, ...(username !== '' && { 'proxy-authorization': `Basic ${credentials}` }) },
      agent: false,
      signal: AbortSignal.any([AbortSignal.timeout(timeoutMs), ...(signal ? [signal] : [])]),
    })
    request.once('connect', ({ statusCode = 0 }, socket) => {
      if (statusCode === 200) return resolve(socket)
      socket.destroy()
      reject(new ProxyRefusal(statusCode))
    })
    // Some proxies refuse with a reply that has a body.
    request.once('response', ({ statusCode = 0 }) => (request.destroy(), reject(new ProxyRefusal(statusCode))))
    request.on('error', reject)
    request.end()
  })
}

/** A connection through the proxy, with TLS to `servername` inside where it is given. */
export async function connectThrough(tunnel: Tunnel, servername: string | undefined): Promise<Duplex> {
  const socket = await openTunnel(tunnel)
  return servername === undefined ? socket : connectTls({ socket, ...(isIP(servername) === 0 && { servername }), host: servername })
}

/** An agent whose connections go through the proxy. The proxy resolves names. */
export function proxyAgent(proxy: URL, protocol: string, { timeoutMs, ...options }: AgentOptions & { timeoutMs: number }): Agent {
  const agent = protocol === 'https:' ? new HttpsAgent(options) : new http.Agent(options)
  const connect = callbackify(connectThrough)
  agent.createConnection = ({ host, port, servername }: ConnectionOptions, callback) => {
    const tunnel = { proxy, host: host ?? '', port: Number(port), timeoutMs }
    connect(tunnel, protocol === 'https:' ? (servername ?? host ?? '') : undefined, callback as Connected)
    return undefined
  }
  return agent
}

type Connected = (error: Error | null, connection: Duplex) => void

interface ConnectionOptions {
  host?: string | null | undefined
  port?: number | string | null | undefined
  servername?: string
}
