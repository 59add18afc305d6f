import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'

export interface MeddlingProxy {
  url: string
  /** Cuts streams after this many bytes; null forwards everything. */
  cutStreamsAfter: number | null
  /** Bytes sent at the start of every stream. */
  preface: string
  /** Number of open streams. */
  openStreams(): number
  close(): Promise<void>
}

/** A proxy that forwards everything but alters streams as configured. */
export async function startMeddlingProxy(target: string): Promise<MeddlingProxy> {
  let open = 0
  const proxy = { cutStreamsAfter: null as number | null, preface: '' }
  const passStream = (answer: IncomingMessage, response: ServerResponse) => {
    open += 1
    response.once('close', () => {
      open -= 1
      answer.destroy()
    })
    response.write(proxy.preface)
    let passed = 0
    answer.on('data', (bytes: Buffer) => {
      const left = (proxy.cutStreamsAfter ?? Number.POSITIVE_INFINITY) - passed
      const isLast = bytes.length > left
      passed += bytes.length
      // What a proxy has sent before it cuts a stream still arrives.
      if (left > 0) response.write(bytes.subarray(0, left), () => isLast && response.destroy())
      else if (left === 0) response.destroy()
    })
    answer.once('end', () => response.end())
    answer.once('error', () => response.destroy())
  }
  const server = createServer((incoming, response) => {
    const { method, url, headers } = incoming
    const outgoing = request(new URL(url ?? '/', target), { method, headers, setHost: false }, (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers)
      if (answer.headers['content-type']?.startsWith('text/event-stream')) passStream(answer, response)
      else answer.pipe(response)
    })
    outgoing.once('error', () => response.destroy())
    response.once('close', () => outgoing.destroy())
    incoming.pipe(outgoing)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return Object.assign(proxy, {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    openStreams: () => open,
    async close() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  })
}
