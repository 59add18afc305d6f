import { connect } from 'node:net'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { withConstants } from '../../scripts/constants.mjs'
import { cookieOf, sendPrompt } from '../support/api.ts'
import { DATABASES } from '../support/databases.ts'
import { sendRaw } from '../support/raw-http.ts'
import { startServer, type TestServer } from '../support/server.ts'

const TOKEN = 'mR7-tq2-Lw9-pX4-zB8'
const ENV = {
  METRICS_TOKEN: TOKEN,
  TRUSTED_PROXIES: '127.0.0.1',
  LIMIT_NETWORK_PROMPTS_PER_DAY: '2',
}

describe.each(DATABASES)('security events on %s', (database) => {
  let server: TestServer
  beforeAll(async () => {
    server = await startServer({ database, env: ENV })
  })
  afterAll(async () => {
    expect(await server.stop(), server.output()).toBe(0)
  })

  test('are counted by day and kind, over restarts, without addresses', async () => {
    const address = { 'x-forwarded-for': '10.3.0.1' }
    const events = async () => {
      const reply = await fetch(`${server.url}/metrics/security-events`, { headers: { authorization: `Bearer ${TOKEN}` } })
      const body = await reply.text()
      expect(body).not.toContain('10.3')
      return (JSON.parse(body) as { events: { day: string; kind: string; count: number }[] }).events
    }
    const sumOf = async (kind: string) => (await events()).filter((event) => event.kind === kind).reduce((sum, { count }) => sum + count, 0)
    for (let index = 0; index < 3; index += 1)
      await fetch(`${server.url}/api/v1/sessions`, { headers: { ...address, authorization: `Bearer v1.${'a'.repeat(60)}` } })
    await expect.poll(() => sumOf('refused_credential')).toBe(3)
    // Written before the process ends, and added to afterwards.
    await server.restart()
    expect(await sumOf('refused_credential')).toBe(3)
    expect((await events()).every(({ day }) => /^\d{4}-\d\d-\d\d$/.test(day))).toBe(true)
    expect((await fetch(`${server.url}/metrics/security-events`)).status).toBe(401)
  })

  test('tell wrong codes, refused hosts, networks over a limit and revoked devices apart, here and in the metrics', async () => {
    const headers = { 'x-forwarded-for': '10.4.0.1', 'content-type': 'application/json' }
    const call = async (method: string, path: string, more: Record<string, string> = {}, body?: object) =>
      (await fetch(server.url + path, { method, headers: { ...headers, ...more }, ...(body && { body: JSON.stringify(body) }) })).status
    const prompt = async (from: string) => sendPrompt(server.url, 'me', 'hello', { headers: { 'x-forwarded-for': from } })
    const cookie = { cookie: cookieOf(await prompt('10.4.0.1')) }
    const statuses = [
      (await prompt('10.4.0.1')).status,
      // The first is counted and rejected, the next is rejected before its body is read.
      (await prompt('10.4.0.1')).status,
      (await prompt('10.4.0.1')).status,
      await call('POST', '/api/v1/transfer', {}, { code: 'no-such-code' }),
      (await sendRaw(server.url, ['GET /api/v1/config HTTP/1.1\r\nhost: evil.example\r\n\r\n'])).status,
      // Without a key there is nothing to revoke.
      await call('DELETE', '/api/v1/me/device'),
      await call('DELETE', '/api/v1/me/device', cookie),
    ]
    expect(statuses).toEqual([200, 429, 429, 404, 421, 200, 200])
    const counts = { blocked_network: 2, wrong_transfer_code: 1, refused_host: 1, revoked_device: 1 }
    const authorization = `Bearer ${TOKEN}`
    const reply = await (await fetch(`${server.url}/metrics/security-events`, { headers: { authorization } })).json()
    const { events } = reply as { events: { kind: string; count: number }[] }
    const sum = (kind: string) => events.filter((event) => event.kind === kind).reduce((all, { count }) => all + count, 0)
    expect(Object.fromEntries(Object.keys(counts).map((kind) => [kind, sum(kind)]))).toEqual(counts)
    const metrics = await (await fetch(`${server.url}/metrics`, { headers: { authorization } })).text()
    for (const [kind, count] of Object.entries(counts)) expect(metrics).toContain(`parley_security_events_total{kind="${kind}"} ${count}\n`)
    expect(JSON.stringify(reply) + metrics).not.toMatch(/10\.4\.0|evil/)
  })
})

describe('connections of one network', () => {
  /** Opens connections and resolves with how many got a 503 at once. */
  async function rejectedOf(url: string, count: number): Promise<{ rejected: number; close: () => void }> {
    const { hostname, port } = new URL(url)
    const sockets = Array.from({ length: count }, () => connect(Number(port), hostname))
    let rejected = 0
    let settled = 0
    for (const socket of sockets) {
      socket.on('error', () => undefined)
      socket.once('data', (bytes: Buffer) => (rejected += Number(bytes.toString().startsWith('HTTP/1.1 503'))))
      socket.once('connect', () => (settled += 1))
    }
    await expect.poll(() => settled).toBe(count)
    return { get rejected() { return rejected }, close: () => sockets.forEach((socket) => socket.destroy()) } // biome-ignore format: short
  }

  test('are limited, and closed ones make room', async () => {
    const server = await startServer({ database: 'sqlite', env: { LIMIT_LOOPBACK: 'true', ...withConstants({ networkConnections: 5 }) } })
    const opened = await rejectedOf(server.url, 12)
    await expect.poll(() => opened.rejected).toBeGreaterThanOrEqual(7)
    opened.close()
    await expect.poll(async () => (await fetch(`${server.url}/healthz`).catch(() => null))?.status).toBe(200)
    await expect.poll(() => server.output()).toContain('A network has 5 open connections')
    await server.stop()
  })

  test('are not limited for a trusted proxy', async () => {
    const env = { ...withConstants({ networkConnections: 5 }), TRUSTED_PROXIES: '127.0.0.0/8', LIMIT_LOOPBACK: 'true' }
    const server = await startServer({ database: 'sqlite', env })
    const opened = await rejectedOf(server.url, 12)
    expect((await fetch(`${server.url}/healthz`)).status).toBe(200)
    expect(opened.rejected).toBe(0)
    opened.close()
    await server.stop()
  })
})
