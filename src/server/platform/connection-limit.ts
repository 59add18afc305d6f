import type { EventEmitter } from 'node:events'
import type { Socket } from 'node:net'
import ipaddr from 'ipaddr.js'
import type { Cap } from '../limits/limit-settings.ts'
import type { Network } from '../limits/network.ts'
import { KeyedSemaphore, type SlotLimit } from '../../async/semaphore.ts'
import { rawProblem } from './problems.ts'

const LOG_INTERVAL_MS = 60_000

export interface ConnectionLimitOptions {
  /** Limits of a network and of the IPv6 /48 around it. */
  caps: () => readonly Cap[]
  /** Addresses or networks that are not limited: each of their connections may serve many clients. */
  trustedProxies: readonly string[]
  /** The network that a peer counts for; `null` for one that is not limited. */
  limitedNetwork: (address: string) => Network | null
  now: () => number
  warn: (message: string) => void
}

/** Closes connections of a network that has as many as it may. They get a 503 without a request being read. */
export function limitConnections(server: Pick<EventEmitter, 'on'>, options: ConnectionLimitOptions): void {
  const open = new KeyedSemaphore()
  const isProxy = proxyTest(options.trustedProxies)
  let loggedAt = Number.NEGATIVE_INFINITY
  server.on('connection', (socket: Socket) => {
    const { remoteAddress } = socket
    if (remoteAddress === undefined || isProxy(remoteAddress)) return
    const network = options.limitedNetwork(remoteAddress)
    if (!network) return
    const release = open.tryAcquire(slotsOf(network, options.caps()))
    if (typeof release === 'function') return void socket.once('close', release)
    socket.end(rawProblem('server_busy'), () => socket.destroy())
    if (options.now() - loggedAt < LOG_INTERVAL_MS) return
    loggedAt = options.now()
    options.warn(
      `A network has ${release.reached.limit} open connections; further ones are closed. If it is a proxy, name it in TRUSTED_PROXIES`,
    )
  })
}

function slotsOf(network: Network, caps: readonly Cap[]): SlotLimit[] {
  return caps.flatMap(({ of, limit }) => {
    const subject = of === 'wide' ? network.wide : network.own
    return subject === null ? [] : [{ key: subject, limit }]
  })
}

function proxyTest(proxies: readonly string[]): (address: string) => boolean {
  const ranges = proxies.map((proxy) => (proxy.includes('/') ? ipaddr.parseCIDR(proxy) : hostRange(proxy)))
  return (address) => {
    const [bare = ''] = address.split('%')
    if (!ipaddr.isValid(bare)) return false
    const parsed = ipaddr.process(bare)
    return ranges.some(([range, bits]) => range.kind() === parsed.kind() && parsed.match([range, bits] as never))
  }
}

function hostRange(address: string): [ipaddr.IPv4 | ipaddr.IPv6, number] {
  const parsed = ipaddr.process(address)
  return [parsed, parsed.kind() === 'ipv4' ? 32 : 128]
}
