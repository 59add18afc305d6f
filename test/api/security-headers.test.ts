import { createHash } from 'node:crypto'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { ExportDocument } from '../../src/contract/chat/export.ts'
import type { SessionDetail } from '../../src/contract/chat/sessions.ts'
import { allEvents, cookieOf, sendPrompt, streamPrompt } from '../support/api.ts'
import { sendRaw } from '../support/raw-http.ts'
import { startServer, type TestServer } from '../support/server.ts'

const CHAT = '/api/v1/agent/chat/me'
const LISTED = 'https://www.example.org'
const CONSENTED = { cookie: 'privacy-consent=true' }

let server: TestServer
beforeAll(async () => {
  server = await startServer({
    database: 'sqlite',
    env: {
      ALLOWED_ORIGINS: `${LISTED}, http://localhost:8080`,
      FRAME_ANCESTORS: LISTED,
      TRUSTED_PROXIES: '127.0.0.1',
      ALLOWED_HOSTS: 'chat.example.org',
    },
  })
})
afterAll(() => server.stop())

const ask = (path: string, headers: Record<string, string> = {}, method = 'GET') =>
  fetch(server.url + path, { method, headers, redirect: 'manual' })

function expectProtected(headers: { get(name: string): string | null | undefined }): void {
  const policy = headers.get('content-security-policy') ?? ''
  expect(policy).toMatch(/default-src 'none'/)
  expect(policy).toMatch(/frame-ancestors/)
  expect(policy).not.toMatch(/unsafe|\*/)
  expect(headers.get('x-content-type-options')).toBe('nosniff')
  expect(headers.get('referrer-policy')).toBe('no-referrer')
  expect(headers.get('permissions-policy')).toMatch(/camera=\(\).*microphone=\(\)/)
  expect(headers.get('cross-origin-opener-policy')).toBe('same-origin')
  expect(headers.get('cross-origin-resource-policy')).toBe('same-origin')
}

describe('every reply has the security headers', () => {
  test.each<[string, number, string, Record<string, string>?, string?]>([
    ['the page', 200, '/'],
    ['a file of the page', 200, '/favicon.svg'],
    ['a file that is not there', 404, '/assets/none.js'],
    ['a redirect', 302, '/nothing', { accept: 'text/html' }],
    ['a plain read', 200, CHAT],
    ['HEAD', 200, CHAT, {}, 'HEAD'],
    ['a refused id', 400, '/api/v1/agent/chat/a%00b'],
    ['a broken address', 400, '/api/v1/agent/chat/%zz'],
    ['an unknown address', 404, '/api/nothing'],
    ['a refused method', 405, CHAT, {}, 'DELETE'],
    ['a refused type', 415, CHAT, {}, 'POST'],
    ['a refused origin', 403, CHAT, { origin: 'https://evil.example' }, 'POST'],
    ['a missing consent', 428, CHAT, { 'content-type': 'application/json', 'sec-fetch-site': 'same-origin' }, 'POST'],
    ['a refused credential', 401, CHAT, { authorization: 'Basic x' }],
    ['the state of the process', 200, '/healthz'],
    ['the page of the API', 200, '/api/docs'],
    ['a script of the page of the API', 200, '/api/docs/static/swagger-ui.js'],
    ['the description of the API', 200, '/api/openapi.json'],
  ])('%s: %i', async (_name, status, path, headers, method) => {
    const response = await ask(path, headers, method)
    expect(response.status).toBe(status)
    expectProtected(response.headers)
    const isApi = /^\/api\/(?!docs)|z$/.test(path)
    expect(response.headers.get('content-security-policy') === "default-src 'none'; sandbox; frame-ancestors 'none'").toBe(isApi)
    expect(response.headers.get('cache-control') === 'no-store').toBe(isApi)
  })

  test('a file that has not changed: 304', async () => {
    const load = (...headers: string[]) => sendRaw(server.url, [['GET / HTTP/1.1', 'Host: localhost', ...headers, '', ''].join('\r\n')])
    const again = await load(`If-None-Match: ${(await load()).headers.get('etag')}`, 'Connection: close')
    expect(again.status).toBe(304)
    expectProtected(again.headers)
  })

  test('a stream', async () => {
    const response = await streamPrompt(server.url, 'headers', 'hello')
    await response.text()
    expect(response.status).toBe(200)
    expectProtected(response.headers)
  })

  test.each([
    ['what is no HTTP', 'nonsense\r\n\r\n'],
    ['a header over the limit', `GET / HTTP/1.1\r\nHost: localhost\r\nX: ${'a'.repeat(20_000)}\r\n\r\n`],
    [
      'a body over the limit',
      `POST ${CHAT} HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 999999\r\n\r\n{`,
    ],
  ])('%s', async (_name, bytes) => {
    expectProtected((await sendRaw(server.url, [bytes])).headers)
  })
})

describe('that an AI gave an answer is said', () => {
  test('in the headers, the stream, the chat and its export', async () => {
    const stream = await streamPrompt(server.url, 'me', 'hello')
    const cookie = cookieOf(stream)
    const [first] = await allEvents(stream)
    expect(first?.chunk).toMatchObject({ type: 'start', messageMetadata: { aiGenerated: true } })
    const session = first?.chunk.type === 'start' ? first.chunk.messageMetadata?.sessionId : ''
    const paths = [CHAT, '/api/v1/sessions', `/api/v1/sessions/${session}`, `/api/v1/sessions/${session}/export`, '/api/v1/me/export']
    for (const path of paths) expect((await ask(path, { cookie })).headers.get('x-ai-generated'), path).toBe('true')
    expect(stream.headers.get('x-ai-generated')).toBe('true')
    const detail = (await (await ask(`/api/v1/sessions/${session}`, { cookie })).json()) as SessionDetail
    expect(detail.messages.map(({ metadata }) => metadata?.aiGenerated)).toEqual([undefined, true])
    const exported = (await (await ask(`/api/v1/sessions/${session}/export?format=json`, { cookie })).json()) as ExportDocument
    expect(exported.chats[0]?.messages.map(({ aiGenerated }) => aiGenerated)).toEqual([undefined, true])
  })

  test('by no other reply', async () => {
    for (const path of ['/', '/healthz', '/api/v1/config']) expect((await ask(path)).headers.has('x-ai-generated'), path).toBe(false)
  })
})

describe('the page', () => {
  test('has no inline script or style, and writes no markup from text', async () => {
    const response = await ask('/')
    const html = await response.text()
    expect(html).toContain('<script')
    expect(html).not.toMatch(/<script(?![^>]* src=)|<style| style=| on\w+=/)
    expect(response.headers.get('content-security-policy')).toContain("script-src 'self';")
    expect(response.headers.get('content-security-policy')).toContain("require-trusted-types-for 'script'; trusted-types service-worker")
  })

  test('can be framed by the listed sites, and the API by nobody', async () => {
    expect((await ask('/')).headers.get('content-security-policy')).toContain(`frame-ancestors ${LISTED};`)
    for (const path of [CHAT, '/api/docs']) {
      expect((await ask(path)).headers.get('content-security-policy')).toContain("frame-ancestors 'none'")
    }
  })
})

test('the diagram frame may run its one script and be framed where the page may be, and nothing else', async () => {
  const name = readdirSync(join(import.meta.dirname, '../../dist/web/assets')).find((file) => /^diagram-.*\.html$/.test(file))
  const response = await ask(`/assets/${name}`)
  const [, script] = /<script>([^]*)<\/script>/.exec(await response.text()) ?? []
  const hash = createHash('sha256').update(script!).digest('base64')
  expect(response.headers.get('content-security-policy')).toBe(
    `default-src 'none'; script-src 'sha256-${hash}'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; ` +
      `frame-ancestors 'self' ${LISTED}; sandbox allow-scripts`,
  )
  expect(response.headers.get('cache-control')).toContain('immutable')
  expect((await ask('/')).headers.get('content-security-policy')).toContain("frame-src 'self';")
})

describe('over https behind a trusted proxy', () => {
  const https = { 'x-forwarded-proto': 'https', 'x-forwarded-host': 'chat.example.org' }

  test('sends HSTS, and does not over http', async () => {
    for (const path of ['/', CHAT, '/nothing', '/api/docs']) {
      expect((await ask(path, https)).headers.get('strict-transport-security')).toBe('max-age=31536000')
      expect((await ask(path)).headers.get('strict-transport-security')).toBeNull()
    }
  })

  test('binds the cookie to this host', async () => {
    const response = await sendPrompt(server.url, 'me', 'hello', { headers: https })
    expect(response.headers.getSetCookie()).toEqual([
      expect.stringMatching(/^__Host-visitor=[\w-]{43}; Path=\/; HttpOnly; SameSite=Strict; Max-Age=2592000; Secure$/),
    ])
    const cookie = cookieOf(response)
    const list = async (headers: Record<string, string>) => (await ask(CHAT, { cookie, ...headers })).json()
    expect(await list(https)).toHaveLength(1)
    expect(await list({})).toEqual([])
  })

  test('knows its own origin', async () => {
    const headers = { ...https, ...CONSENTED, origin: 'https://chat.example.org' }
    expect((await sendPrompt(server.url, 'me', 'hello', { headers })).status).toBe(200)
  })

  test('trusts forwarded headers of the proxy only', async () => {
    const open = await startServer({ database: 'sqlite' })
    try {
      const response = await sendPrompt(open.url, 'me', 'hello', { headers: https })
      expect(response.headers.getSetCookie()[0]).toMatch(/^visitor=[\w-]{43};(?!.*Secure)/)
      expect(response.headers.get('strict-transport-security')).toBeNull()
    } finally {
      await open.stop()
    }
  })
})

describe('the visitor’s cookie', () => {
  test('is renewed with each accepted prompt only', async () => {
    const cookie = cookieOf(await sendPrompt(server.url, 'me', 'hello'))
    const again = await sendPrompt(server.url, 'me', 'hello', { headers: { cookie } })
    expect(again.headers.getSetCookie()).toEqual([`${cookie}; Path=/; HttpOnly; SameSite=Strict; Max-Age=2592000`])
    for (const path of [CHAT, '/api/v1/sessions', '/api/v1/me']) expect((await ask(path, { cookie })).headers.getSetCookie()).toEqual([])
    expect((await sendPrompt(server.url, 'me', ' ', { headers: { cookie } })).headers.getSetCookie()).toEqual([])
  })

  test('is not set for a bearer token', async () => {
    const key = cookieOf(await sendPrompt(server.url, 'me', 'hello')).split('=')[1]
    const response = await sendPrompt(server.url, 'me', 'hello', { headers: { authorization: `Bearer ${key}` } })
    expect([response.status, response.headers.getSetCookie()]).toEqual([200, []])
  })

  test('that is unknown is cleared, and replaced by the first prompt', async () => {
    const cookie = `visitor=${'A'.repeat(43)}`
    expect((await ask(CHAT, { cookie })).headers.getSetCookie()).toEqual(['visitor=; Path=/; HttpOnly; SameSite=Strict; Max-Age=0'])
    const response = await sendPrompt(server.url, 'me', 'hello', { headers: { cookie } })
    expect(response.headers.getSetCookie()).toEqual([expect.stringMatching(/^visitor=[\w-]{43}; .*Max-Age=2592000$/)])
  })
})

describe('pages from other sites', () => {
  const permissions = (response: Response) => [...response.headers.keys()].filter((name) => name.startsWith('access-control-'))
  const preflight = (origin: string, path = CHAT) => ask(path, { origin, 'access-control-request-method': 'POST' }, 'OPTIONS')

  test('may send requests and read replies only if their exact origin is listed', async () => {
    const asked = await preflight(LISTED)
    expect(asked.status).toBe(204)
    expect(asked.headers.get('access-control-allow-origin')).toBe(LISTED)
    expect(asked.headers.get('access-control-allow-headers')).toContain('content-type')
    const headers = { origin: LISTED, 'sec-fetch-site': 'cross-site', 'privacy-consent': 'true' }
    const response = await sendPrompt(server.url, 'me', 'hello', { headers })
    expect(response.status).toBe(200)
    expect(response.headers.get('access-control-allow-origin')).toBe(LISTED)
    expect(response.headers.get('vary')).toBe('Origin')
    const stream = await streamPrompt(server.url, 'me', 'hello', { headers })
    await stream.text()
    expect(stream.headers.get('access-control-allow-origin')).toBe(LISTED)
  })

  test('need the visitor’s consent like the page itself', async () => {
    const response = await sendPrompt(server.url, 'me', 'hello', { headers: { origin: LISTED, 'sec-fetch-site': 'cross-site' } })
    expect(response.status).toBe(428)
    // Scripts of allowed origins can read the reason.
    expect(response.headers.get('access-control-allow-origin')).toBe(LISTED)
  })

  test.each([
    'https://evil.example',
    'null',
    'http://www.example.org',
    'https://www.example.org:8443',
    'https://www.example.org.evil.example',
    'https://sub.www.example.org',
    'https://WWW.example.org',
    `${LISTED}/`,
    '*',
  ])('get no access as %s', async (origin) => {
    // biome-ignore format: one list
    const asked = await preflight(origin)
    expect([asked.status, permissions(asked)]).toEqual([405, []])
    const written = await sendPrompt(server.url, 'me', 'hello', { headers: { origin, 'privacy-consent': 'true', ...CONSENTED } })
    expect([written.status, permissions(written)]).toEqual([403, []])
    expect(permissions(await ask(CHAT, { origin }))).toEqual([])
  })

  test('cannot give consent for the page by a header', async () => {
    const headers = { 'sec-fetch-site': 'same-origin', 'privacy-consent': 'true' }
    expect((await sendPrompt(server.url, 'me', 'hello', { headers })).status).toBe(428)
  })
})

test('without a list, no reply grants CORS access to anyone', async () => {
  const closed = await startServer({ database: 'sqlite' })
  try {
    for (const origin of [LISTED, closed.url, 'null']) {
      const headers = { origin, 'access-control-request-method': 'POST' }
      for (const method of ['OPTIONS', 'GET']) {
        const response = await fetch(closed.url + CHAT, { method, headers })
        expect([...response.headers.keys()].filter((name) => /^access-control-|^vary$/.test(name))).toEqual([])
      }
    }
  } finally {
    await closed.stop()
  }
})

test.each(['PUT', 'PATCH', 'DELETE', 'POST'])(
  '%s from another site, or without consent, is checked like any other write',
  async (method) => {
    // A retry is a write without a body. An unsupported method is rejected first.
    const path = '/api/v1/turns/t_AAAAAAAAAAAAAAAAAAAAA/retry'
    const refused = await ask(path, { 'sec-fetch-site': 'cross-site', 'content-type': 'application/json' }, method)
    expect(refused.status).toBe(method === 'POST' ? 403 : 405)
  },
)
