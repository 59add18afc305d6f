import { EventEmitter } from 'node:events'
import { expect, test } from 'vitest'
import { networkOf } from '../limits/network.ts'
import { limitConnections } from './connection-limit.ts'

const LIMIT = { what: 'connection', code: 'server_busy' } as const

class FakeSocket extends EventEmitter {
  reply = ''
  isDestroyed = false
  readonly remoteAddress: string

  constructor(remoteAddress: string) {
    super()
    this.remoteAddress = remoteAddress
  }

  end(reply: string, onEnd: () => void): void {
    this.reply = reply
    onEnd()
  }

  destroy(): void {
    this.isDestroyed = true
    this.emit('close')
  }
}

/** Two connections of a network, and eight of an IPv6 /48. */
function setUp({ trustedProxies = [] as string[] } = {}) {
  const state = { now: 0, logged: [] as string[] }
  const server = new EventEmitter()
  limitConnections(server, {
    caps: () => [
      { ...LIMIT, of: 'network', limit: 2 },
      { ...LIMIT, of: 'wide', limit: 8 },
    ],
    trustedProxies,
    limitedNetwork: networkOf,
    now: () => state.now,
    warn: (message) => state.logged.push(message),
  })
  const connect = (address: string) => {
    const socket = new FakeSocket(address)
    server.emit('connection', socket)
    return socket
  }
  const rejectionsOf = (addresses: string[]) => addresses.map((address) => connect(address).isDestroyed)
  return { state, connect, rejectionsOf }
}

test('closes the connections of an address that are over the limit, with a reason, and has room when one closes', () => {
  const { connect, rejectionsOf } = setUp()
  const first = connect('192.0.2.1')
  expect(rejectionsOf(['192.0.2.1'])).toEqual([false])
  const third = connect('::ffff:192.0.2.1')
  expect(third.isDestroyed).toBe(true)
  expect(third.reply).toMatch(/^HTTP\/1\.1 503 [^]*retry-after: [^]*"code":"server_busy"/)
  expect(rejectionsOf(['192.0.2.2'])).toEqual([false])
  first.destroy()
  expect(rejectionsOf(['192.0.2.1', '192.0.2.1'])).toEqual([false, true])
})

test('counts an IPv6 /64 as one network, and limits the /48 around it', () => {
  const { rejectionsOf } = setUp()
  expect(rejectionsOf(['2001:db8:1:1::1', '2001:db8:1:1:f::2', '2001:db8:1:1::3'])).toEqual([false, false, true])
  const others = Array.from({ length: 7 }, (_, index) => `2001:db8:1:${index + 2}::1`)
  expect(rejectionsOf(others)).toEqual([false, false, false, false, false, false, true])
  expect(rejectionsOf(['2001:db8:2:1::1'])).toEqual([false])
})

test.each([
  ['an address', '192.0.2.1', '192.0.2.1'],
  ['an address of a network', '10.0.0.0/8', '10.1.2.3'],
  ['an IPv4 address that is shown as IPv6', '10.0.0.0/8', '::ffff:10.1.2.3'],
  ['an address of an IPv6 network', '2001:db8::/32', '2001:db8:7::1'],
])('does not limit %s that is trusted as a proxy, but limits others', (_name, proxy, address) => {
  const { rejectionsOf } = setUp({ trustedProxies: [proxy] })
  expect(rejectionsOf([address, address, address])).toEqual([false, false, false])
  expect(rejectionsOf(['198.51.100.1', '198.51.100.1', '198.51.100.1'])).toEqual([false, false, true])
})

test('logs closed connections once a minute, without an address', () => {
  const { rejectionsOf, state } = setUp()
  const flood = Array.from({ length: 12 }, () => '192.0.2.1')
  rejectionsOf(flood)
  state.now = 59_999
  rejectionsOf(flood)
  expect(state.logged).toHaveLength(1)
  state.now = 60_000
  rejectionsOf(flood)
  expect(state.logged).toHaveLength(2)
  expect(state.logged.join('\n')).not.toContain('192.0.2')
})
