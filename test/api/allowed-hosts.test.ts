import { afterEach, describe, expect, test } from 'vitest'
import { withConstants } from '../../scripts/constants.mjs'
import { sendRaw } from '../support/raw-http.ts'
import { startServer, type TestServer } from '../support/server.ts'

const servers: TestServer[] = []
afterEach(async () => {
  await Promise.all(servers.splice(0).map((server) => server.stop()))
})

async function serverWith(env: Record<string, string>): Promise<TestServer> {
  const server = await startServer({ database: 'sqlite', env })
  servers.push(server)
  return server
}

async function statusFor(server: TestServer, host: string, path = '/api/v1/config', headers: string[] = []): Promise<number> {
  return (await sendRaw(server.url, [[`GET ${path} HTTP/1.1`, `Host: ${host}`, ...headers, '', ''].join('\r\n')])).status
}

describe('a listener on loopback', () => {
  test('accepts loopback names only, which prevents DNS rebinding', async () => {
    const server = await serverWith({})
    const { port } = new URL(server.url)
    for (const host of ['localhost', `localhost:${port}`, '127.0.0.1', '[::1]:1', 'LOCALHOST.'])
      expect(await statusFor(server, host)).toBe(200)
    for (const host of ['rebound.example', `rebound.example:${port}`, '192.168.0.7', 'localhost.evil.example', '[::2]'])
      expect(await statusFor(server, host)).toBe(421)
    expect(await statusFor(server, 'rebound.example', '/')).toBe(421)
    const prompt = JSON.stringify({ prompt: 'spend my budget' })
    const head = [
      'POST /api/v1/agent/chat/me HTTP/1.1',
      'Host: rebound.example',
      'Origin: http://rebound.example',
      'Sec-Fetch-Site: same-origin',
    ]
    const type = ['Cookie: privacy-consent=true', 'Content-Type: application/json', `Content-Length: ${prompt.length}`]
    const reply = await sendRaw(server.url, [[...head, ...type, '', prompt].join('\r\n')])
    expect([reply.status, JSON.parse(reply.body)]).toMatchObject([421, { code: 'host_not_allowed' }])
  })

  test('accepts the configured names, and any name for health checks', async () => {
    const server = await serverWith({ PUBLIC_URL: 'https://Chat.example.org', ALLOWED_HOSTS: 'help.example.org, [2001:db8::1]' })
    for (const host of ['chat.example.org', 'CHAT.example.org:443', 'help.example.org', '[2001:db8::1]:80', 'localhost'])
      expect(await statusFor(server, host)).toBe(200)
    expect(await statusFor(server, 'www.example.org')).toBe(421)
    for (const path of ['/healthz', '/readyz']) expect(await statusFor(server, '10.0.0.5:8080', path)).toBe(200)
    const withoutHost = async (path: string, version: string) => (await sendRaw(server.url, [`GET ${path} HTTP/${version}\r\n\r\n`])).status
    for (const path of ['/healthz', '/readyz']) expect(await withoutHost(path, '1.0')).toBe(200)
    expect([await withoutHost('/healthz', '1.1'), await withoutHost('/api/v1/config', '1.0')]).toEqual([400, 400])
  })

  test('checks the host name that a trusted proxy forwards', async () => {
    const server = await serverWith({ PUBLIC_URL: 'https://chat.example.org', TRUSTED_PROXIES: '127.0.0.1' })
    expect(await statusFor(server, '127.0.0.1', '/api/v1/config', ['X-Forwarded-Host: chat.example.org'])).toBe(200)
    expect(await statusFor(server, '127.0.0.1', '/api/v1/config', ['X-Forwarded-Host: evil.example'])).toBe(421)
  })
})

test('without configured names, a public listener accepts any name and logs this once', async () => {
  const server = await serverWith({ HOST: '0.0.0.0' })
  expect(await statusFor(server, 'anything.example')).toBe(200)
  await expect.poll(() => server.output().match(/Requests for any host name are answered/g)).toHaveLength(1)
})

test('behind a proxy that hides its clients, all of them share the limits of one network, which is logged once', async () => {
  const server = await serverWith({ TRUSTED_PROXIES: '127.0.0.1', ...withConstants({ networkReadsPerMinute: 5 }) })
  for (const headers of [[], ['X-Forwarded-For: '], ['X-Forwarded-For: 127.0.0.1'], ['X-Forwarded-For: ::1']]) {
    const statuses: number[] = []
    // Twice the limit, because a new minute may start in between.
    for (let count = 0; count < 11; count += 1) statuses.push(await statusFor(server, 'localhost', '/api/v1/sessions', headers))
    expect(statuses).toContain(429)
  }
  expect(await statusFor(server, 'localhost', '/api/v1/sessions', ['X-Forwarded-For: 192.0.2.1'])).toBe(200)
  await expect.poll(() => server.output().match(/without a client address/g)).toHaveLength(1)
})
