import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'

/** A fault of one direction. Byte counts are per connection. */
export type Fault =
  | { kind: 'none' }
  /** Delays every chunk. */
  | { kind: 'delay'; ms: number }
  /** Stops reading, so the sender's buffers fill. */
  | { kind: 'stall' }
  /** Reads and discards everything. */
  | { kind: 'black-hole' }
  /** Forwards a few bytes at a time. */
  | { kind: 'drip'; bytes: number; everyMs: number }
  /** Closes the connection cleanly after this many bytes. */
  | { kind: 'cut'; afterBytes: number }
  /** Resets the connection after this many bytes. */
  | { kind: 'reset'; afterBytes: number }
  /** Closes this direction only. */
  | { kind: 'half-close'; afterBytes: number }
  /** Flips one bit per this many bytes. */
  | { kind: 'corrupt'; everyBytes: number }

/** `up` is from the client to the server. */
export type Direction = 'up' | 'down'

export interface TcpProxy {
  port: number
  /** The address of the server with the proxy's port in it. */
  through(url: string): string
  /** Applies to open and new connections. */
  set(direction: Direction, fault: Fault): void
  /** Closes new connections at once if true. */
  refuse(refused: boolean): void
  /** Leads new connections to another server. */
  pointTo(target: string): void
  /** Resets all open connections; returns their number. */
  resetAll(): number
  openConnections(): number
  close(): Promise<void>
}

const NONE: Fault = { kind: 'none' }
/** Poll interval of a stalled pipe. */
const HELD_POLL_MS = 10

/** A TCP proxy to `target`, an address or `host:port`, that injects faults. `onSent` sees each chunk that a client sends. */
export async function startTcpProxy(target: string, onSent: (chunk: Buffer) => void = () => undefined): Promise<TcpProxy> {
  const addressOf = (url: string) => new URL(url.includes('://') ? url : `tcp://${url}`)
  let address = addressOf(target)
  const faults: Record<Direction, Fault> = { up: NONE, down: NONE }
  const pairs = new Set<[Socket, Socket]>()
  let refused = false
  const server = createServer({ allowHalfOpen: true }, (client) => {
    if (refused) return client.resetAndDestroy()
    const upstream = connect({ host: address.hostname, port: Number(address.port), allowHalfOpen: true })
    const pair: [Socket, Socket] = [client, upstream]
    pairs.add(pair)
    for (const socket of pair) {
      socket.setNoDelay(true)
      socket.on('error', () => resetBoth(pair))
      socket.once('close', () => {
        pairs.delete(pair)
        for (const other of pair) other.destroySoon()
      })
    }
    client.on('data', onSent)
    pipe(pair, client, upstream, () => faults.up).catch(() => resetBoth(pair))
    pipe(pair, upstream, client, () => faults.down).catch(() => resetBoth(pair))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const own = (server.address() as AddressInfo).port
  return {
    port: own,
    through: (url) => url.replace(/^(\w+:\/\/(?:[^@/]*@)?)[^/]+/, `$1127.0.0.1:${own}`),
    set: (direction, fault) => (faults[direction] = fault),
    refuse: (value) => (refused = value),
    pointTo: (url) => void (address = addressOf(url)),
    resetAll: () => [...pairs].map(resetBoth).length,
    openConnections: () => pairs.size,
    async close() {
      for (const pair of pairs) resetBoth(pair)
      server.close()
      await once(server, 'close')
    },
  }
}

function resetBoth(pair: [Socket, Socket]): void {
  for (const socket of pair) if (!socket.destroyed) socket.resetAndDestroy()
}

/** Pipes bytes between sockets according to the current fault. */
async function pipe(pair: [Socket, Socket], from: Socket, to: Socket, faultNow: () => Fault): Promise<void> {
  let passed = 0
  const held = (kind: Fault['kind']) => faultNow().kind === kind && !from.destroyed && !to.destroyed
  for await (const piece of from.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
    while (held('stall')) await pause(HELD_POLL_MS)
    const fault = faultNow()
    if (fault.kind === 'black-hole') continue
    if (fault.kind === 'delay') await pause(fault.ms)
    const whole = fault.kind === 'corrupt' ? corrupted(piece, passed, fault.everyBytes) : piece
    const left = 'afterBytes' in fault ? Math.max(0, fault.afterBytes - passed) : whole.length
    for (const bytes of fault.kind === 'drip' ? dripsOf(whole, fault.bytes) : [whole.subarray(0, left)]) {
      if (fault.kind === 'drip') await pause(fault.everyMs)
      if (bytes.length > 0 && !to.write(bytes)) await once(to, 'drain')
      passed += bytes.length
    }
    if (left >= whole.length) continue
    if (fault.kind === 'reset') return resetBoth(pair)
    to.end()
    if (fault.kind === 'cut') from.end()
    return void from.resume()
  }
  to.end()
}

function corrupted(piece: Buffer, passed: number, everyBytes: number): Buffer {
  const copy = Buffer.from(piece)
  for (let index = everyBytes - 1 - (passed % everyBytes); index < copy.length; index += everyBytes) {
    copy[index] = (copy[index] as number) ^ 1
  }
  return copy
}

function dripsOf(piece: Buffer, bytes: number): Buffer[] {
  return Array.from({ length: Math.ceil(piece.length / bytes) }, (_, index) => piece.subarray(index * bytes, (index + 1) * bytes))
}
