import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'

export interface RawReply {
  status: number
  headers: Map<string, string>
  body: string
  /** Milliseconds from the first byte sent to the first reply. */
  afterMs: number
}

/** Only ends tests that hang. */
const REPLY_LIMIT_MS = 120_000
/** A server that accepts nothing for so long accepts no more. */
const STILL_POLL_MS = 50
const STILL_POLLS = 5

/**
 * Sends raw bytes, which no client corrects, and reads one reply.
 * `bytes` may be a generator, which is read as fast as the server accepts.
 */
export async function sendRaw(url: string, bytes: Iterable<string | Buffer> | AsyncIterable<string | Buffer>): Promise<RawReply> {
  const { hostname, port } = new URL(url)
  const socket = connect(Number(port), hostname)
  const started = performance.now()
  const reply = readReply(socket, started)
  // The server may close while we write; only its reply counts.
  const writing = writeAll(socket, bytes).catch(() => undefined)
  try {
    return await reply
  } finally {
    socket.destroy()
    await writing
  }
}

/** The same for a client that reads only once the server accepts no more. */
export async function sendRawBeforeReading(url: string, bytes: Iterable<string | Buffer>): Promise<RawReply> {
  const { hostname, port } = new URL(url)
  const socket = connect(Number(port), hostname)
  const reply = readReply(socket, performance.now())
  socket.pause()
  const writing = writeAll(socket, bytes).catch(() => undefined)
  try {
    for (let still = 0, written = 0; still < STILL_POLLS && !socket.destroyed; still += 1) {
      await delay(STILL_POLL_MS)
      const now = socket.bytesWritten - socket.writableLength
      if (now !== written) still = 0
      written = now
    }
    socket.resume()
    return await reply
  } finally {
    socket.destroy()
    await writing
  }
}

/** Whether the server closes the connection before all bytes were sent. */
export async function isCutOff(url: string, bytes: AsyncIterable<string | Buffer>): Promise<boolean> {
  const { hostname, port } = new URL(url)
  const socket = connect(Number(port), hostname)
  socket.on('error', () => undefined)
  socket.resume()
  const closed = once(socket, 'close').then(() => true)
  const writing = writeAll(socket, bytes).then(() => false)
  const isClosed = await Promise.race([closed, writing])
  socket.destroy()
  await writing
  return isClosed
}

/** Sends the heads of requests whose bodies never arrive. Resolves when the server has begun to read each; call the result to close them. */
export async function openTricklingBodies(url: string, count: number, head: readonly string[]): Promise<() => void> {
  const { hostname, port } = new URL(url)
  const sockets = Array.from({ length: count }, () => connect(Number(port), hostname))
  await Promise.all(
    sockets.map(async (socket) => {
      socket.on('error', () => undefined)
      socket.write([...head, 'Content-Length: 1000000', 'Expect: 100-continue', '', ''].join('\r\n'))
      await once(socket, 'data')
      socket.write('{')
    }),
  )
  return () => {
    for (const socket of sockets) socket.destroy()
  }
}

async function writeAll(socket: Socket, bytes: Iterable<string | Buffer> | AsyncIterable<string | Buffer>): Promise<void> {
  for await (const chunk of typeof bytes === 'string' ? [bytes] : bytes) {
    if (socket.destroyed) return
    if (!socket.write(chunk)) await new Promise<void>((resolve) => settle(socket, resolve))
  }
}

function settle(socket: Socket, resolve: () => void): void {
  const done = () => {
    socket.off('drain', done)
    socket.off('close', done)
    resolve()
  }
  socket.once('drain', done)
  socket.once('close', done)
}

function readReply(socket: Socket, started: number): Promise<RawReply> {
  return new Promise((resolve, reject) => {
    let received = Buffer.alloc(0)
    let afterMs = 0
    const timer = setTimeout(() => finish('the server did not answer in time'), REPLY_LIMIT_MS)
    socket.on('data', (chunk) => {
      afterMs ||= performance.now() - started
      received = Buffer.concat([received, chunk])
      const reply = parse(received, afterMs)
      if (reply) finish(reply)
    })
    socket.on('error', (error) => finish(parse(received, afterMs, true) ?? `${error.message} before a reply`))
    socket.on('close', () => finish(parse(received, afterMs, true) ?? 'the server closed without a reply'))

    function finish(result: RawReply | string) {
      clearTimeout(timer)
      if (typeof result === 'string') reject(new Error(result))
      else resolve(result)
    }
  })
}

/** The reply, once complete by its content-length, or whatever was received when the connection ends. */
function parse(received: Buffer, afterMs: number, ended = false): RawReply | undefined {
  const text = received.toString('latin1')
  const split = text.indexOf('\r\n\r\n')
  if (split < 0) return undefined
  const [statusLine = '', ...lines] = text.slice(0, split).split('\r\n')
  const headers = new Map(
    lines.map((line) => [line.slice(0, line.indexOf(':')).toLowerCase(), line.slice(line.indexOf(':') + 1).trim()] as const),
  )
  const body = received.subarray(Buffer.byteLength(text.slice(0, split), 'latin1') + 4)
  const length = Number(headers.get('content-length') ?? Number.NaN)
  const chunkedEnd = headers.get('transfer-encoding') === 'chunked' && body.toString('latin1').endsWith('0\r\n\r\n')
  if (!ended && !(body.length >= length) && !chunkedEnd) return undefined
  return { status: Number(statusLine.split(' ')[1]), headers, body: body.toString('utf8'), afterMs }
}
