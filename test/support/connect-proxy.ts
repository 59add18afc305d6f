import { once } from 'node:events'
import { createServer, type IncomingMessage, request, type RequestListener } from 'node:http'
import { createServer as createSecureServer } from 'node:https'
import { type AddressInfo, connect } from 'node:net'

/** Certificate and key of whoever intercepts TLS to `model.example` and `example.org`; the certificate is its own authority. */
export const INTERCEPTING_CERTIFICATE = `-----BEGIN CERTIFICATE-----
MIIByjCCAXCgAwIBAgIUOreGnftlWxJtqzRMIa+BvlRc3UowCgYIKoZIzj0EAwIw
JjEkMCIGA1UEAwwbQSBwcm94eSB0aGF0IGludGVyY2VwdHMgVExTMCAXDTI2MTEy
ODE5NDE1M1oYDzIxMjYxMTA0MTk0MTUzWjAmMSQwIgYDVQQDDBtBIHByb3h5IHRo
YXQgaW50ZXJjZXB0cyBUTFMwWTATBgcqhkjOPQIBBggqhkjOPQMBBwNCAARyZ5qc
m4tPpHePoKYettDLBcYeRm5IP8pmsueCoOmLyJO6C4uKwmC9msQFnSWPPKWRyICd
qKfkYMEhWIbG0uSvo3oweDAdBgNVHQ4EFgQUIl+1iFcmltMZnIfnG/jNJFKOEOUw
HwYDVR0jBBgwFoAUIl+1iFcmltMZnIfnG/jNJFKOEOUwDwYDVR0TAQH/BAUwAwEB
/zAlBgNVHREEHjAcgg1tb2RlbC5leGFtcGxlggtleGFtcGxlLm9yZzAKBggqhkjO
PQQDAgNIADBFAiEArvs3NPwN9JZ1RrTZtkVoynLSlQrewIldB9s8R8wK/TICID8G
TyZ7G6kFgICcQM64soFckLLC5T9G7wZ6zrXxLeQu
-----END CERTIFICATE-----
`
const KEY = `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgv4SztX/kH/2GUffm
nJIwYPk5wzlXOiuytwJEjEAX7tihRANCAARyZ5qcm4tPpHePoKYettDLBcYeRm5I
P8pmsueCoOmLyJO6C4uKwmC9msQFnSWPPKWRyICdqKfkYMEhWIbG0uSv
-----END PRIVATE KEY-----
`

export interface ConnectProxy {
  url: string
  /** Addresses that it was asked to connect to, in order. */
  asked: string[]
  close(): void
}

export interface ConnectProxyOptions {
  /** Port of this machine that stands for a host and port, such as `example.org:443`. It connects to nothing else. */
  ports: Record<string, number>
  /** Such as `name:password`. */
  credentials?: string
}

/** An outgoing proxy, which connects by `CONNECT` alone. */
export async function startConnectProxy({ ports, credentials }: ConnectProxyOptions): Promise<ConnectProxy> {
  const asked: string[] = []
  const server = createServer((_, response) => response.writeHead(405).end())
  server.on('connect', ({ url = '', headers }: IncomingMessage, client) => {
    asked.push(url)
    const isKnown = credentials === undefined || headers['proxy-authorization'] === `Basic ${Buffer.from(credentials).toString('base64')}`
    const port = ports[url]
    if (!isKnown || port === undefined)
      return client.end(`HTTP/1.1 ${isKnown ? '403 Forbidden' : '407 Proxy Authentication Required'}\r\n\r\n`)
    const target = connect(port, '127.0.0.1', () => {
      client.write('HTTP/1.1 200 Connection established\r\n\r\n')
      target.pipe(client).pipe(target)
    })
    for (const [one, other] of [
      [client, target],
      [target, client],
    ] as const)
      one.on('error', () => other.destroy())
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    asked,
    close: () => (server.closeAllConnections(), server.close()),
  }
}

/** A server for TLS with the intercepting certificate. Resolves with its port and what ends it. */
export async function startIntercepted(listener: RequestListener): Promise<{ port: number; close(): void }> {
  const server = createSecureServer({ key: KEY, cert: INTERCEPTING_CERTIFICATE }, listener).listen(0, '127.0.0.1')
  await once(server, 'listening')
  return { port: (server.address() as AddressInfo).port, close: () => (server.closeAllConnections(), server.close()) }
}

/** Passes requests on to a server, as a proxy does that has decrypted them. */
export function passOnTo(upstream: string): RequestListener {
  return (incoming, outgoing) => {
    const { method = 'GET', headers, url } = incoming
    const sent = request(new URL(url ?? '/', upstream), { method, headers })
    sent.on('error', () => outgoing.destroy())
    sent.on('response', (reply) => reply.pipe(outgoing.writeHead(reply.statusCode ?? 502, reply.headers)))
    incoming.pipe(sent)
  }
}
