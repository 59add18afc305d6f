import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import type { SendPromptReply } from '../../src/contract/chat/chat.ts'
import { DataReport, type TransferCode } from '../../src/contract/rights.ts'
import type { Problem } from '../../src/contract/problem.ts'
import { cookieOf, listSessions, sendPrompt } from '../support/api.ts'
import { DATABASES } from '../support/databases.ts'
import { startServer, type TestServer } from '../support/server.ts'

const WRONG = 'A'.repeat(22)

/** The `Set-Cookie` headers of a new visitor's first reply, on the page itself or in a frame of another site. */
async function firstCookies(url: string, headers: Record<string, string> = {}): Promise<string> {
  const reply = await sendPrompt(url, 'me', 'hello', { headers })
  expect(reply.status).toBe(200)
  return reply.headers.getSetCookie().join()
}

test.each([
  ['remember', /SameSite=None; Partitioned; Max-Age=2592000/],
  ['visit', /SameSite=None; Partitioned; Secure$/],
])('a visitor’s cookie in a frame of another site lasts as FRAME_CHATS=%s says, and elsewhere 30 days', async (chats, expected) => {
  const server = await startServer({ database: 'sqlite', env: { FRAME_CHATS: chats } })
  onTestFinished(() => server.stop().then(() => undefined))
  expect(await firstCookies(server.url, { embedded: 'true' })).toMatch(expected)
  expect(await firstCookies(server.url)).toMatch(/Max-Age=2592000/)
})

describe.each(DATABASES)('devices on %s', (database) => {
  let server: TestServer
  beforeAll(async () => {
    server = await startServer({ database, env: { CLIENT_IDS: 'any' } })
  })
  afterAll(async () => {
    expect(await server.stop(), server.output()).toBe(0)
  })

  const post = (path: string, body: object, headers: Record<string, string> = {}) =>
    fetch(server.url + path, { method: 'POST', headers: { 'content-type': 'application/json', ...headers }, body: JSON.stringify(body) })
  const codeOf = async (response: Response) => ((await response.json()) as Problem).code
  const keysOf = async (cookie: string) => (await listSessions(server.url, 'me', { cookie })).map(({ key }) => key)

  async function visitor(prompt = 'hello', body: object = {}): Promise<{ cookie: string; session: string; setCookie: string }> {
    const response = await post('/api/v1/agent/chat/me', { prompt, ...body })
    const { session_id: session } = (await response.json()) as SendPromptReply
    return { cookie: cookieOf(response), session, setCookie: response.headers.getSetCookie().join() }
  }

  async function newCode(cookie: string): Promise<string> {
    const response = await post('/api/v1/me/transfer', {}, { cookie })
    expect(response.status).toBe(200)
    return ((await response.json()) as TransferCode).code
  }

  test('a transfer code gives one more device access to the chats, once', async () => {
    const { cookie, session } = await visitor()
    const code = await newCode(cookie)
    const moved = await post('/api/v1/transfer', { code })
    expect(moved.status).toBe(200)
    expect(moved.headers.getSetCookie().join()).toMatch(/HttpOnly; SameSite=Strict; Max-Age=2592000/)
    const second = cookieOf(moved)
    expect(second).not.toBe(cookie)
    expect([await keysOf(second), await keysOf(cookie)]).toEqual([[session], [session]])
    const again = await post('/api/v1/transfer', { code })
    expect([again.status, await codeOf(again)]).toEqual([404, 'transfer_code_unknown'])
  })

  test('a transfer code used concurrently works for one device only', async () => {
    const code = await newCode((await visitor()).cookie)
    const statuses = await Promise.all(Array.from({ length: 8 }, async () => (await post('/api/v1/transfer', { code })).status))
    expect(statuses.toSorted((a, b) => a - b)).toEqual([200, 404, 404, 404, 404, 404, 404, 404])
  })

  test('a new transfer code replaces the previous one, and needs a credential', async () => {
    const { cookie } = await visitor()
    const [first, second] = [await newCode(cookie), await newCode(cookie)]
    expect((await post('/api/v1/transfer', { code: first })).status).toBe(404)
    expect((await post('/api/v1/transfer', { code: second })).status).toBe(200)
    expect((await post('/api/v1/me/transfer', {})).status).toBe(404)
  })

  test('a device keeps its own chats unless it agrees to give them up', async () => {
    const [there, here] = [await visitor('there'), await visitor('here')]
    const code = await newCode(there.cookie)
    const kept = await post('/api/v1/transfer', { code }, { cookie: here.cookie })
    expect([kept.status, await codeOf(kept)]).toEqual([409, 'device_in_use'])
    expect(await keysOf(here.cookie)).toEqual([here.session])
    const moved = await post('/api/v1/transfer', { code, replace: true }, { cookie: here.cookie })
    expect(await keysOf(cookieOf(moved))).toEqual([there.session])
    expect(await keysOf(here.cookie)).toEqual([])
    expect((await fetch(`${server.url}/api/v1/sessions/${here.session}`)).status).toBe(404)
  })

  test.each([{}, { code: '' }, { code: 1 }, { code: 'x'.repeat(201) }, { code: WRONG, owner: 'v_x' }, { code: WRONG, replace: false }])(
    'rejects the transfer code %j',
    async (body) => {
      expect((await post('/api/v1/transfer', body)).status).toBe(400)
    },
  )

  test('signs out this device only, and deletes all data with the last device', async () => {
    const { cookie, session } = await visitor()
    const second = cookieOf(await post('/api/v1/transfer', { code: await newCode(cookie) }))
    const forget = async (key: string) =>
      (await fetch(`${server.url}/api/v1/me/device`, { method: 'DELETE', headers: { cookie: key } })).json() as Promise<{
        everything: boolean
      }>
    expect(await forget(cookie)).toEqual({ everything: false })
    expect([await keysOf(cookie), await keysOf(second)]).toEqual([[], [session]])
    expect(await forget(second)).toEqual({ everything: true })
    expect((await fetch(`${server.url}/api/v1/sessions/${session}`)).status).toBe(404)
  })

  test('signs out all other devices', async () => {
    const { cookie, session } = await visitor()
    const second = cookieOf(await post('/api/v1/transfer', { code: await newCode(cookie) }))
    const response = await fetch(`${server.url}/api/v1/me/devices`, { method: 'DELETE', headers: { cookie: second } })
    expect(await response.json()).toEqual({ devices: 1 })
    expect([await keysOf(cookie), await keysOf(second)]).toEqual([[], [session]])
  })

  const reportOf = async (headers: Record<string, string>, query = '') => {
    const response = await fetch(`${server.url}/api/v1/me/data${query}`, { headers })
    expect(response.status).toBe(200)
    return DataReport.parse(await response.json())
  }

  test('the data report has true counts and facts of this installation', async () => {
    const { cookie } = await visitor('What is 6 * 7?')
    const report = await reportOf({ cookie })
    const counts = Object.fromEntries(report.stored.map(({ kind, count }) => [kind, count]))
    expect(counts).toMatchObject({ visitor: 1, devices: 1, chats: 1, messages: 2, answers: 1 })
    expect(report).toMatchObject({ visitor: expect.stringMatching(/^v_/), endsAt: null, model: { provider: null } })
    expect(report.retention).toContain('30 days')
    expect(report.storage).toContain(database === 'sqlite' ? 'database file' : 'PostgreSQL')
    expect(report.cookies.map(({ name }) => name)).toEqual(['visitor', 'privacy-consent'])
    expect(await reportOf({})).toMatchObject({ language: 'en', visitor: null, stored: [] })
    expect(await reportOf({}, '?language=de')).toMatchObject({ language: 'de', retention: expect.stringContaining('30 Tage nach') })
    await sendPrompt(server.url, 'my-own-id', 'hello')
    expect((await reportOf({}, '?id=my-own-id')).stored).toContainEqual({ kind: 'messages', count: 2 })
  })

  test('on a shared computer, the cookie ends with the browser, and all data after two hours without use', async () => {
    const { cookie, session, setCookie } = await visitor('on a shared computer', { device: 'shared' })
    expect(setCookie).not.toMatch(/max-age|expires/i)
    expect(await keysOf(cookie)).toEqual([session])
    const report = await reportOf({ cookie })
    expect(report.retention).toContain('shared computer')
    const left = Date.parse(report.endsAt ?? '') - Date.now()
    expect(left).toBeGreaterThan(60 * 60 * 1000)
    expect(left).toBeLessThanOrEqual(2 * 60 * 60 * 1000)
    const list = (await (await fetch(`${server.url}/api/v1/sessions`, { headers: { cookie } })).json()) as {
      sessions: { expiresAt: string }[]
    }
    expect(list.sessions[0]?.expiresAt).toBe(report.endsAt)
    // The id alone opens nothing, even at the start.
    expect((await fetch(`${server.url}/api/v1/sessions/${session}`)).status).toBe(404)
    const next = await post(`/api/v1/agent/chat/me?session_id=${session}`, { prompt: 'and then?' }, { cookie })
    expect(next.headers.getSetCookie().join()).not.toMatch(/max-age/i)
  })

  test('on a shared computer, a transfer code gives temporary access, and the chats stay on the other device', async () => {
    const { cookie, session } = await visitor()
    const moved = await post('/api/v1/transfer', { code: await newCode(cookie), device: 'shared' })
    expect(moved.headers.getSetCookie().join()).not.toMatch(/max-age/i)
    expect(await keysOf(cookieOf(moved))).toEqual([session])
    expect((await reportOf({ cookie: cookieOf(moved) })).endsAt).toBeNull()
  })
})
