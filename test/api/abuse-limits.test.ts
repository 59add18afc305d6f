import { connect } from 'node:net'
import { describe, expect, test } from 'vitest'
import { withConstants } from '../../scripts/constants.mjs'
import { sendPrompt } from '../support/api.ts'
import { sendRaw } from '../support/raw-http.ts'
import { startServer } from '../support/server.ts'

const TOKEN = 'mR7-tq2-Lw9-pX4-zB8'

test('metrics count rejected requests by code, without addresses', async () => {
  const env = { METRICS_TOKEN: TOKEN, TRUSTED_PROXIES: '127.0.0.1', LIMIT_NETWORK_PROMPTS_PER_DAY: '2' }
  const server = await startServer({ database: 'sqlite', env })
  const from = { 'x-forwarded-for': '10.4.0.1' }
  const call = async (method: string, path: string, more: Record<string, string> = {}, body?: object) =>
    (await fetch(server.url + path, { method, headers: { ...from, ...more }, ...(body && { body: JSON.stringify(body) }) })).status
  const prompt = async () => (await sendPrompt(server.url, 'me', 'hello', { headers: from })).status
  const statuses = [
    await prompt(),
    await prompt(),
    // The first is counted and rejected, the next is rejected before its body is read.
    await prompt(),
    await prompt(),
    await call('POST', '/api/v1/transfer', { 'content-type': 'application/json' }, { code: 'no-such-code' }),
    (await sendRaw(server.url, ['GET /api/v1/config HTTP/1.1\r\nhost: evil.example\r\n\r\n'])).status,
    await call('GET', '/api/v1/sessions', { authorization: `Bearer v1.${'a'.repeat(60)}` }),
  ]
  expect(statuses).toEqual([200, 200, 429, 429, 404, 421, 401])
  const metrics = await (await fetch(`${server.url}/metrics`, { headers: { authorization: `Bearer ${TOKEN}` } })).text()
  for (const [code, count] of Object.entries({ daily_prompts_used: 2, transfer_code_unknown: 1, host_not_allowed: 1, unauthorized: 1 }))
    expect(metrics).toContain(`parley_rejections_total{code="${code}"} ${count}\n`)
  expect(metrics).not.toMatch(/10\.4\.0|evil/)
  expect(await server.stop(), server.output()).toBe(0)
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
