import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { Problem } from '../../src/contract/problem.ts'
import { cookieOf, sendPrompt } from '../support/api.ts'
import { DATABASES } from '../support/databases.ts'
import { type RawReply, sendRaw } from '../support/raw-http.ts'
import { startServer, type TestServer } from '../support/server.ts'

const CHAT = '/api/v1/agent/chat/me'
const CLEARED = 'visitor=; Path=/; HttpOnly; SameSite=Strict; Max-Age=0'
const PROMPT = '{"prompt":"hello"}'

/** A visitor's key, and data that would reveal their chat. */
interface Visitor {
  key: string
  session: string
  sub: string
}

describe.each(DATABASES)('as raw bytes, on %s', (database) => {
  let server: TestServer
  let pid: number
  let [a, b]: Visitor[] = []
  let before: string
  beforeAll(async () => {
    server = await startServer({ database, env: { ALLOWED_HOSTS: 'chat.example.org, rebound.example' } })
    pid = server.pid
    ;[a, b] = [await newVisitor(), await newVisitor()]
  })
  afterAll(() => server.stop())
  beforeEach(async () => {
    before = await chatsOf(key(a))
  })

  const key = (visitor: Visitor | undefined) => visitor?.key ?? ''

  async function newVisitor(): Promise<Visitor> {
    const response = await sendPrompt(server.url, 'me', 'hello')
    const cookie = cookieOf(response)
    const { session_id: session } = (await response.json()) as { session_id: string }
    const me = (await (await fetch(`${server.url}/api/v1/me`, { headers: { cookie } })).json()) as { visitor: { sub: string } }
    return { key: cookie.split('=')[1] ?? '', session, sub: me.visitor.sub }
  }

  const get = (path: string, ...headers: string[]) => raw('GET', path, headers, '')
  const post = (...headers: string[]) =>
    raw('POST', CHAT, ['Content-Type: application/json', `Content-Length: ${PROMPT.length}`, ...headers], PROMPT)

  function raw(method: string, path: string, headers: string[], body: string): Promise<RawReply> {
    return sendRaw(server.url, [[`${method} ${path} HTTP/1.1`, 'Host: localhost', ...headers, '', body].join('\r\n')])
  }

  const chatsOf = async (owner: string) => (await get('/api/v1/sessions', `Cookie: visitor=${owner}`)).body

  /** Expects a problem with this status that echoes nothing, unchanged chats and a live process. */
  async function expectRefused(reply: RawReply, status: number, code?: string): Promise<void> {
    expect(reply.status).toBe(status)
    expect(Problem.parse(JSON.parse(reply.body))).toMatchObject(code === undefined ? { status } : { status, code })
    for (const secret of [key(a), key(b), a?.session, a?.sub]) expect(reply.body).not.toContain(secret)
    await expectUntouched()
  }

  async function expectUntouched(): Promise<void> {
    expect(await chatsOf(key(a))).toBe(before)
    expect(server.pid).toBe(pid)
  }

  describe('a cross-site page with the visitor’s cookie', () => {
    const cookies = () => `Cookie: visitor=${key(a)}; privacy-consent=true`
    test.each([
      ['a foreign origin', 'Origin: https://evil.example'],
      ['no origin that can be named', 'Origin: null'],
      ['the own host on another port', 'Origin: http://localhost:1'],
      ['an origin that begins as the own one', 'Origin: http://localhost.evil.example'],
      ['an empty origin', 'Origin: '],
      ['another site by its metadata', 'Sec-Fetch-Site: cross-site'],
      ['another subdomain by its metadata', 'Sec-Fetch-Site: same-site'],
      ['metadata that no browser sends', 'Sec-Fetch-Site: whatever'],
      [
        'its own metadata and a forwarded host',
        'Origin: https://evil.example\r\nX-Forwarded-Host: evil.example\r\nX-Forwarded-Proto: https',
      ],
    ])('%s stores nothing', async (_name, header) => {
      const reply = await post(cookies(), header)
      await expectRefused(reply, 403, 'cross_origin')
      expect(reply.headers.has('set-cookie')).toBe(false)
    })

    test('cannot delete anything', async () => {
      for (const path of ['/api/v1/me', '/api/v1/sessions', `/api/v1/sessions/${a?.session}`]) {
        await expectRefused(await raw('DELETE', path, [cookies(), 'Origin: https://evil.example'], ''), 403, 'cross_origin')
      }
    })

    test('cannot send a form instead of JSON', async () => {
      for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data; boundary=x']) {
        const reply = await raw('POST', CHAT, [cookies(), `Content-Type: ${type}`, `Content-Length: ${PROMPT.length}`], PROMPT)
        await expectRefused(reply, 415)
      }
    })
  })

  describe('an invalid cookie counts as none and is cleared', () => {
    const flipped = (text: string) => (text.startsWith('A') ? 'B' : 'A') + text.slice(1)
    test.each<[string, () => string]>([
      ['truncated', () => `visitor=${key(a).slice(0, -1)}`],
      ['bit-flipped', () => `visitor=${flipped(key(a))}`],
      ['twice, the same', () => `visitor=${key(a)}; visitor=${key(a)}`],
      ['twice, another’s first', () => `visitor=${key(b)}; visitor=${key(a)}`],
      ['empty', () => 'visitor='],
      ['of other characters', () => `visitor=${'é'.repeat(43)}`],
      ['quoted', () => `visitor="${key(a)}"`],
      ['a key’s hash', () => `visitor=${'0'.repeat(64)}`],
    ])('%s', async (_name, cookie) => {
      const reply = await get('/api/v1/sessions', `Cookie: ${cookie()}`)
      expect([reply.status, reply.body]).toEqual([200, '{"sessions":[],"next":null}'])
      expect(reply.headers.get('set-cookie')).toBe(CLEARED)
      await expectUntouched()
    })

    test('of 15 KB is rejected before any lookup', async () => {
      await expectRefused(await get('/api/v1/sessions', `Cookie: visitor=${'A'.repeat(15 * 1024)}`), 431, 'headers_too_large')
    })

    test('the https cookie does not count over http', async () => {
      expect((await get('/api/v1/sessions', `Cookie: __Host-visitor=${key(a)}`)).body).toBe('{"sessions":[],"next":null}')
    })
  })

  describe('a bearer', () => {
    test.each<[string, number, () => string[]]>([
      ['another visitor’s beside a cookie', 400, () => [`Cookie: visitor=${key(a)}`, `Authorization: Bearer ${key(b)}`]],
      ['unknown', 401, () => [`Authorization: Bearer ${'A'.repeat(43)}`]],
      ['truncated', 401, () => [`Authorization: Bearer ${key(a).slice(0, -1)}`]],
      ['of a sub', 401, () => [`Authorization: Bearer ${a?.sub}`]],
      ['of a session', 401, () => [`Authorization: Bearer ${a?.session}`]],
      ['Basic', 401, () => [`Authorization: Basic ${Buffer.from(`user:${key(a)}`).toString('base64')}`]],
      ['an unsigned JWT', 401, () => ['Authorization: Bearer eyJhbGciOiJub25lIn0.eyJzdWIiOiJhZG1pbiJ9.']],
      ['without a scheme', 401, () => [`Authorization: ${key(a)}`]],
      ['empty', 401, () => ['Authorization: ']],
      ['followed by another', 401, () => [`Authorization: Bearer ${key(a)}, Bearer ${key(b)}`]],
    ])('%s is rejected: %i', async (_name, status, headers) => {
      for (const path of ['/api/v1/sessions', CHAT, `/api/v1/sessions/${a?.session}`, '/api/v1/me']) {
        await expectRefused(await get(path, ...headers()), status)
      }
      await expectRefused(await post(...headers()), status)
    })

    test('equal to the cookie counts as one credential', async () => {
      const reply = await get('/api/v1/sessions', `Cookie: visitor=${key(a)}`, `authorization: bearer ${key(a)}`)
      expect(reply.body).toBe(before)
    })
  })

  describe('ids', () => {
    test('another visitor’s sub, an agent’s id or a guess gives no access, with or without another credential', async () => {
      for (const id of [a?.sub, 'assistant', 'me', a?.session, '__proto__', 'constructor']) {
        const path = `/api/v1/agent/chat/${id}`
        expect((await get(path)).body).toBe('[]')
        expect((await get(path, `Cookie: visitor=${key(b)}`)).body).not.toContain(a?.session)
        expect((await get(path, `Authorization: Bearer ${key(b)}`)).body).not.toContain(a?.session)
      }
    })

    test('a prompt under another visitor’s sub starts a chat of the caller', async () => {
      const reply = await raw(
        'POST',
        `/api/v1/agent/chat/${a?.sub}?session_id=${a?.session}`,
        ['Content-Type: application/json', `Content-Length: ${PROMPT.length}`, `Cookie: visitor=${key(b)}`],
        PROMPT,
      )
      expect(reply.status).toBe(200)
      expect(reply.body).not.toContain(a?.session)
      await expectUntouched()
    })

    test.each([
      ['through a proxy on this machine', 'Host: chat.example.org'],
      ['through one that keeps our name', 'Host: localhost\r\nX-Forwarded-For: 203.0.113.7'],
      ['by a name that leads a browser here', 'Host: rebound.example:3000'],
    ])('a guessable id lists nothing for a caller %s', async (_name, headers) => {
      await sendPrompt(server.url, 'user-1', 'hello')
      expect((await get('/api/v1/agent/chat/user-1')).body).not.toBe('[]')
      const reply = await sendRaw(server.url, [`GET /api/v1/agent/chat/user-1 HTTP/1.1\r\n${headers}\r\n\r\n`])
      expect([reply.status, reply.body]).toEqual([200, '[]'])
    })

    test.each(['%6De', 'm%65', '%6d%65'])('%s is rejected, but the word me never is', async (id) => {
      await expectRefused(await get(`/api/v1/agent/chat/${id}`, `Cookie: visitor=${key(a)}`), 400)
    })

    test.each(['%256De', '..%2fme', 'me%2f', 'me%00', 'me%20', '%2e', '%2e%2e', 'me;x', 'me%3b'])('%s is refused', async (id) => {
      await expectRefused(await get(`/api/v1/agent/chat/${id}`, `Cookie: visitor=${key(a)}`), 400)
    })
  })

  test.each(['limit=-1', 'limit=1.5', 'limit=', 'limit[]=1', 'cursor=forged', 'cursor=eyJpZCI6MX0', 'before=%00', 'offset=1e9', 'page=2'])(
    'list routes reject %s',
    async (query) => {
      for (const path of ['/api/v1/sessions', CHAT, `/api/v1/sessions/${a?.session}`]) {
        await expectRefused(await get(`${path}?${query}`, `Cookie: visitor=${key(a)}`), 400)
      }
    },
  )

  test('a limit above the page size returns one page', async () => {
    for (const path of ['/api/v1/sessions', `/api/v1/sessions/${a?.session}`]) {
      const [whole, most] = [await get(path, `Cookie: visitor=${key(a)}`), await get(`${path}?limit=999999`, `Cookie: visitor=${key(a)}`)]
      expect([most.status, most.body]).toEqual([200, whole.body])
    }
    await expectRefused(await get(`${CHAT}?limit=999999`, `Cookie: visitor=${key(a)}`), 400)
  })
})
