import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders, request, type RequestListener } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import type { AddressInfo } from 'node:net'

/** Behaviour of a proxy towards requests and replies. By default it does all that the server needs. */
export interface TestProxyOptions {
  /** The server behind it. */
  upstream: string
  /** Headers of a request as they are passed on; a missing value removes one. */
  changeRequest?: (headers: IncomingHttpHeaders) => Record<string, string | undefined>
  changeReply?: (headers: IncomingHttpHeaders) => IncomingHttpHeaders
  /** Passes on a reply only when it has ended. */
  buffers?: boolean
  /** Terminates TLS. */
  tls?: { key: string; cert: string }
}

export interface TestProxy {
  url: string
  close(): void
}

/** Runs a reverse proxy on loopback that replaces `X-Forwarded-For` and `-Host`, and makes the mistakes that it is told to. */
export async function startTestProxy({ upstream, changeRequest, changeReply, buffers, tls }: TestProxyOptions): Promise<TestProxy> {
  const pass: RequestListener = (incoming, outgoing) => {
    const own = { 'x-forwarded-for': '127.0.0.1', 'x-forwarded-proto': 'http', 'x-forwarded-host': undefined }
    const headers = Object.entries({ ...incoming.headers, ...own, ...changeRequest?.(incoming.headers) })
    const sent = request(upstream + incoming.url, {
      method: incoming.method,
      headers: Object.fromEntries(headers.filter(([, value]) => value !== undefined)),
    })
    sent.on('error', () => outgoing.writeHead(502).end())
    sent.on('response', (reply) => {
      outgoing.writeHead(reply.statusCode ?? 502, changeReply ? changeReply(reply.headers) : reply.headers)
      if (!buffers) return reply.pipe(outgoing)
      const chunks: Buffer[] = []
      reply.on('data', (chunk: Buffer) => chunks.push(chunk))
      return reply.on('end', () => outgoing.end(Buffer.concat(chunks)))
    })
    incoming.pipe(sent)
  }
  const server = (tls ? createTlsServer(tls, pass) : createServer(pass)).listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http${tls ? 's' : ''}://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () => {
      server.closeAllConnections()
      server.close()
    },
  }
}
