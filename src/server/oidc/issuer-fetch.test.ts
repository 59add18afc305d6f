import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { gzipSync } from 'node:zlib'
import { afterEach, expect, test } from 'vitest'
import { createIssuerFetch, IssuerUnavailable } from './issuer-fetch.ts'

let close = (): unknown => undefined
afterEach(() => close())

async function serving(listener: RequestListener): Promise<string> {
  const server = createServer(listener).listen(0, '127.0.0.1')
  close = () => (server.closeAllConnections(), server.close())
  await once(server, 'listening')
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
}

const ask = (url: string, limits: Parameters<typeof createIssuerFetch>[0] = {}) =>
  createIssuerFetch(limits)(url, {
    method: 'POST',
    headers: { authorization: 'Basic secret' },
    body: new URLSearchParams('a=b'),
    redirect: 'manual',
  })

test('returns the reply as it is, error replies included', async () => {
  const url = await serving((request, response) => {
    response.writeHead(400, { 'content-type': 'application/json' })
    request.pipe(response)
  })
  const response = await ask(url)
  expect([response.status, response.headers.get('content-type'), await response.text()]).toEqual([400, 'application/json', 'a=b'])
})

test('does not send the secret to the target of a redirect', async () => {
  const asked: (string | undefined)[] = []
  const url = await serving((request, response) => {
    asked.push(request.url)
    response.writeHead(307, { location: '/elsewhere' }).end()
  })
  expect((await ask(url)).status).toBe(307)
  expect(asked).toEqual(['/'])
})

test.each<[string, RequestListener]>([
  ['is failing', (_, response) => response.writeHead(503).end()],
  ['has too much to do', (_, response) => response.writeHead(429).end()],
  ['hangs up', (_, response) => response.destroy()],
  ['never answers', () => undefined],
  ['never comes to an end', (_, response) => void response.write('{')],
  ['sends too much', (_, response) => response.end('x'.repeat(1001))],
  ['sends too much, compressed', (_, response) => response.setHeader('content-encoding', 'gzip').end(gzipSync('x'.repeat(100_000)))],
])('reports a provider that %s as unavailable', async (_name, listener) => {
  const url = await serving(listener)
  await expect(ask(url, { timeoutMs: 300, maxReplyBytes: 1000 })).rejects.toBeInstanceOf(IssuerUnavailable)
})

test('reports the reason as a code, for the log', async () => {
  await expect(ask('http://127.0.0.1:1/')).rejects.toThrow(/^unreachable \(ECONNREFUSED\)$/)
})
