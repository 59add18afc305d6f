import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { withConstants } from '../../scripts/constants.mjs'
import type { DataReport } from '../../src/contract/rights.ts'
import { allEvents, cookieOf, sendPrompt, streamPrompt } from '../support/api.ts'
import { DATABASES, type TestDatabase } from '../support/databases.ts'
import { sendRaw } from '../support/raw-http.ts'
import { type ScriptedModel, startScriptedModel } from '../support/scripted-model.ts'
import { sampleSize } from '../support/sample-size.ts'
import { startServer, type TestServer } from '../support/server.ts'

const NETWORKS = { LIMIT_LOOPBACK: 'true' }
const BEHIND_A_PROXY = { ...NETWORKS, TRUSTED_PROXIES: '127.0.0.1' }

let model: ScriptedModel
beforeAll(async () => {
  model = await startScriptedModel()
})
afterAll(() => model.close())

const started: TestServer[] = []
afterEach(async () => {
  await Promise.all(started.splice(0).map((server) => server.stop()))
})

async function serverWith(database: TestDatabase, env: Record<string, string>): Promise<TestServer> {
  const server = await startServer({ database, env: { OPENAI_BASE_URL: model.baseUrl, MODEL: 'scripted', ...env } })
  started.push(server)
  return server
}

async function statusesOf(count: number, send: (index: number) => Promise<Response>): Promise<number[]> {
  const statuses: number[] = []
  for (let index = 0; index < count; index += 1) {
    const response = await send(index)
    await response.arrayBuffer()
    statuses.push(response.status)
  }
  return statuses
}

const from = (address: string) => ({ 'x-forwarded-for': address })

describe.each(DATABASES)('limits on %s', (database) => {
  test('allow a visitor the configured number of prompts, and report the remaining ones and the reset time', async () => {
    const server = await serverWith(database, { LIMIT_PROMPTS_PER_MINUTE: '50', LIMIT_PROMPTS_PER_DAY: '2' })
    const first = await sendPrompt(server.url, 'me', 'one')
    expect(first.headers.get('ratelimit-policy')).toBeNull()
    const headers = { cookie: cookieOf(first) }
    const second = await sendPrompt(server.url, 'me', 'two', { headers })
    expect(second.headers.get('ratelimit-policy')).toBe('"minute";q=50;w=60, "day";q=2;w=86400')
    expect(second.headers.get('ratelimit')).toMatch(/^"minute";r=4\d;t=\d+, "day";r=1;t=\d+$/)
    await sendPrompt(server.url, 'me', 'three', { headers })
    const asked = model.requests.length
    const refused = await sendPrompt(server.url, 'me', 'four', { headers })
    expect(await refused.json()).toMatchObject({ status: 429, code: 'daily_prompts_used' })
    expect(refused.headers.get('ratelimit')).toMatch(/"day";r=0;t=\d+$/)
    const midnightInS = Math.ceil((86_400_000 - (Date.now() % 86_400_000)) / 1000)
    expect(Math.abs(Number(refused.headers.get('retry-after')) - midnightInS)).toBeLessThanOrEqual(60)
    expect(model.requests).toHaveLength(asked)
  })

  test('are reported to the visitor on request', async () => {
    const server = await serverWith(database, { LIMIT_PROMPTS_PER_DAY: '5' })
    const headers = { cookie: cookieOf(await sendPrompt(server.url, 'me', 'one')) }
    await sendPrompt(server.url, 'me', 'two', { headers })
    const report = (await (await fetch(`${server.url}/api/v1/me/data`, { headers })).json()) as DataReport
    expect(report.today).toEqual({ prompts: 4, resetsAt: expect.stringMatching(/T00:00:00\.000Z$/) })
  })

  test('still apply after the visitor deletes everything, drops the cookie, or the server restarts', async () => {
    const server = await serverWith(database, { ...NETWORKS, LIMIT_NETWORK_PROMPTS_PER_DAY: '3' })
    const first = await sendPrompt(server.url, 'me', 'one')
    const headers = { cookie: cookieOf(first) }
    await fetch(`${server.url}/api/v1/me`, { method: 'DELETE', headers })
    const second = await sendPrompt(server.url, 'me', 'two')
    await server.restart()
    const statuses = await statusesOf(2, () => sendPrompt(server.url, 'me', 'more'))
    expect([first.status, second.status, ...statuses]).toEqual([200, 200, 200, 429])
  })

  test('count a prompt sent twice with the same key once, and do not count a rejected one', async () => {
    const server = await serverWith(database, { LIMIT_PROMPTS_PER_DAY: '3' })
    const headers = { cookie: cookieOf(await sendPrompt(server.url, 'me', 'hello')), 'idempotency-key': 'the-same-prompt-again' }
    expect(await statusesOf(5, () => sendPrompt(server.url, 'me', 'one', { headers }))).toEqual([200, 200, 200, 200, 200])
    expect(await statusesOf(2, () => sendPrompt(server.url, 'me', 'another', { headers }))).toEqual([422, 422])
    const withoutKey = { cookie: headers.cookie }
    expect(await statusesOf(3, () => sendPrompt(server.url, 'me', 'new', { headers: withoutKey }))).toEqual([200, 200, 429])
    // The reply may have been lost.
    expect(await statusesOf(1, () => sendPrompt(server.url, 'me', 'one', { headers }))).toEqual([200])
  })

  test('limit the rate of new visitors from one network, while known visitors continue', async () => {
    const server = await serverWith(database, { ...NETWORKS, LIMIT_NEW_VISITORS_PER_HOUR: '2' })
    const first = await sendPrompt(server.url, 'me', 'hi')
    await sendPrompt(server.url, 'me', 'hi')
    const refused = await sendPrompt(server.url, 'me', 'hi')
    expect(await refused.json()).toMatchObject({ code: 'too_many_visitors' })
    const upload = { method: 'POST', headers: { 'content-type': 'application/octet-stream' }, body: 'hello' }
    expect((await fetch(`${server.url}/api/v1/files?name=a.txt`, upload)).status).toBe(429)
    expect((await sendPrompt(server.url, 'me', 'again', { headers: { cookie: cookieOf(first) } })).status).toBe(200)
  })

  test('allow one visitor two running answers, and the next when one has ended', async () => {
    const server = await serverWith(database, { LIMIT_RUNNING_TURNS: '2' })
    const headers = { cookie: cookieOf(await sendPrompt(server.url, 'me', 'hello')) }
    const isRefused = Promise.withResolvers<void>()
    for (let answer = 0; answer < 2; answer += 1) model.script([{ text: 'long' }, { until: isRefused.promise }])
    const running = [await streamPrompt(server.url, 'me', 'one', { headers }), await streamPrompt(server.url, 'me', 'two', { headers })]
    const refused = await sendPrompt(server.url, 'me', 'three', { headers })
    expect(await refused.json()).toMatchObject({ status: 429, code: 'too_many_turns' })
    isRefused.resolve()
    await Promise.all(running.map(allEvents))
    expect((await sendPrompt(server.url, 'me', 'four', { headers })).status).toBe(200)
  })
})

describe('limits of networks, and those that a process counts itself,', () => {
  test('count many forged X-Forwarded-For values as the one real address', async () => {
    const server = await serverWith('sqlite', { ...NETWORKS, LIMIT_NETWORK_PROMPTS_PER_MINUTE: '5', LIMIT_NETWORK_PROMPTS_PER_DAY: '5' })
    const send = (index: number) => sendPrompt(server.url, 'me', 'hi', { headers: from(`203.0.${index >> 8}.${index & 255}`) })
    const statuses = await statusesOf(sampleSize({ long: 1_000, short: 200 }), send)
    expect(statuses.slice(0, 5)).toEqual([200, 200, 200, 200, 200])
    expect(new Set(statuses.slice(5))).toEqual(new Set([429]))
  })

  test('count a /64 as one network, and a /48 as four', async () => {
    const server = await serverWith('sqlite', { ...BEHIND_A_PROXY, LIMIT_NETWORK_PROMPTS_PER_DAY: '2' })
    const inOne = await statusesOf(4, (index) => sendPrompt(server.url, 'me', 'hi', { headers: from(`2001:db8:1:1:${index}::${index}`) }))
    expect(inOne).toEqual([200, 200, 429, 429])
    const inWide = await statusesOf(8, (index) => sendPrompt(server.url, 'me', 'hi', { headers: from(`2001:db8:1:${index + 10}::1`) }))
    expect(inWide).toEqual([200, 200, 200, 200, 200, 200, 429, 429])
    const mapped = await statusesOf(3, (index) =>
      sendPrompt(server.url, 'me', 'hi', { headers: from(index === 1 ? '::ffff:198.51.100.7' : '198.51.100.7') }),
    )
    expect(mapped).toEqual([200, 200, 429])
  })

  test('reject a prompt before reading its body when its network has none left', async () => {
    const server = await serverWith('sqlite', { ...NETWORKS, LIMIT_NETWORK_PROMPTS_PER_DAY: '1' })
    await statusesOf(2, () => sendPrompt(server.url, 'me', 'hi'))
    const head = ['POST /api/v1/agent/chat/me HTTP/1.1', 'host: localhost', 'content-type: application/json', 'content-length: 15']
    const reply = await sendRaw(server.url, [`${head.join('\r\n')}\r\n\r\n`])
    expect([reply.status, JSON.parse(reply.body).code]).toEqual([429, 'daily_prompts_used'])
  })

  test('limit one visitor’s open streams, and allow another when one is closed', async () => {
    const server = await serverWith('sqlite', { LIMIT_STREAMS: '2' })
    const headers = { cookie: cookieOf(await sendPrompt(server.url, 'me', 'hello')) }
    const open = async () => {
      const leaving = new AbortController()
      const response = await fetch(`${server.url}/api/v1/me/events`, { headers, signal: leaving.signal })
      // Held, because `fetch` closes the connection of a response that is garbage.
      return { response, leave: () => leaving.abort() }
    }
    const streams = [await open(), await open(), await open()]
    expect(streams.map(({ response }) => response.status)).toEqual([200, 200, 429])
    streams[0]?.leave()
    await expect.poll(async () => (await open()).response.status).toBe(200)
  })

  test('limit one visitor’s reads without affecting others', async () => {
    const server = await serverWith('sqlite', { ...withConstants({ readsPerMinute: 3 }) })
    const cookies = await Promise.all(['one', 'two'].map(async (prompt) => cookieOf(await sendPrompt(server.url, 'me', prompt))))
    const read = (cookie: string | undefined) => fetch(`${server.url}/api/v1/sessions`, { headers: { cookie: cookie ?? '' } })
    const statuses = await statusesOf(9, () => read(cookies[0]))
    // A new minute may start in between.
    expect(statuses.filter((status) => status === 200).length).toBeLessThanOrEqual(6)
    expect(statuses).toContain(429)
    expect((await read(cookies[1])).status).toBe(200)
  })
})

/** Requests that are no reads although they are a GET: each waits, or opens a stream. */
const POLLS = ['GET /api/v1/turns/:turn/events', 'GET /api/v1/turns/:turn/stream', 'GET /api/v1/me/events']

test('limit every write, every poll and every opened stream, and say when to retry', async () => {
  const server = await serverWith('sqlite', {
    ...withConstants({ writesPerMinute: 1, pollsPerMinute: 1 }),
    LOG_LEVEL: 'debug',
  })
  await expect.poll(() => server.output()).toContain('Server listening at')
  const routes = server
    .output()
    .split('\n')
    .filter((line) => line.includes('"A route"'))
    .map((line) => JSON.parse(line) as { methods: string[]; url: string })
    .flatMap(({ methods, url }) => methods.map((method) => `${method} ${url}`))
  const writes = routes.filter((route) => /^(?:POST|PUT|PATCH|DELETE) \/api\/v1\//.test(route))
  const limited: string[] = []
  const notLimited: string[] = []
  for (const route of [...writes, ...POLLS]) {
    const [method = '', path = ''] = route.split(' ')
    const url = server.url + path.replaceAll(/:\w+/g, 'A'.repeat(21))
    const type = path === '/api/v1/files' ? 'application/octet-stream' : 'application/json'
    const headers = { authorization: `Bearer ${route}`, ...(method !== 'GET' && { 'content-type': type }) }
    const responses: Response[] = []
    // Three, because a new minute may start in between.
    for (let count = 0; count < 3; count += 1) {
      responses.push(await fetch(url, { method, headers, ...(method.startsWith('P') && { body: '{}' }) }))
    }
    // The new minute may have started before the third.
    const last = responses.findLast(({ status }) => status === 429) ?? responses.at(-1)!
    await Promise.all(responses.map(async (response) => response === last || response.body?.cancel()))
    if (responses.some(({ status }) => status === 405)) continue
    const retryAfter = Number(last.headers.get('retry-after'))
    const isLimited = last.status === 429 && retryAfter >= 1 && retryAfter <= 60 && responses[0]?.status !== 429
    ;(isLimited ? limited : notLimited).push(route)
    expect(await last.json()).toMatchObject({ status: expect.any(Number) })
  }
  expect(notLimited).toEqual([])
  expect(limited).toEqual(expect.arrayContaining(['DELETE /api/v1/me', ...POLLS]))
})
