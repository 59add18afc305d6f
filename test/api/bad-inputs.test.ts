import { DatabaseSync } from 'node:sqlite'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { SendPromptReply } from '../../src/contract/chat/chat.ts'
import { Problem } from '../../src/contract/problem.ts'
import type { SessionDetail } from '../../src/contract/chat/sessions.ts'
import { TABLE_OWNERSHIP } from '../../src/server/store/engine/table-ownership.ts'
import type { ErasureReply } from '../../src/contract/rights.ts'
import { cookieOf, sendPrompt } from '../support/api.ts'
import { sendRaw } from '../support/raw-http.ts'
import { type ScriptedModel, startScriptedModel } from '../support/scripted-model.ts'
import { startServer, type TestServer } from '../support/server.ts'

/** Planted in inputs. A reply that contains it echoes input. */
const CANARY = 'cAnArY9'
/** Ids that don't exist. */
const UNKNOWN = 'A'.repeat(21)
const JSON_TYPE = 'Content-Type: application/json'
const BYTES_TYPE = 'Content-Type: application/octet-stream'

let model: ScriptedModel
let server: TestServer
let pid: number
let cookie: string
let session: string
let answer: string
beforeAll(async () => {
  model = await startScriptedModel()
  server = await startServer({ database: 'sqlite', env: { OPENAI_BASE_URL: model.baseUrl, MODEL: 'scripted' } })
  pid = server.pid
  const reply = await sendPrompt(server.url, 'me', 'hello')
  cookie = cookieOf(reply)
  session = ((await reply.json()) as SendPromptReply).session_id
  const { messages } = (await (await fetch(`${server.url}/api/v1/sessions/${session}`, { headers: { cookie } })).json()) as SessionDetail
  answer = messages[1]?.id ?? ''
})
afterAll(async () => {
  await server.stop()
  await model.close()
})

type Bytes = (string | Buffer)[]

/** A request of the visitor, without corrections by a client. */
function send(method: string, path: string, body: string | Buffer = '', headers: string[] = []): Bytes {
  const length = `Content-Length: ${Buffer.byteLength(body)}`
  return [[`${method} ${path} HTTP/1.1`, 'Host: localhost', `Cookie: ${cookie}`, length, ...headers, '', ''].join('\r\n'), body]
}
const sendJson = (method: string, path: string, body: unknown) => send(method, path, JSON.stringify(body), [JSON_TYPE])
const sendFile = (query: string, content: string | Buffer, headers = [BYTES_TYPE]) =>
  send('POST', `/api/v1/files?${query}`, content, headers)
/** A request line and headers as they are. */
const head = (...lines: string[]): Bytes => [[...lines, '', ''].join('\r\n')]
const prompt = (body: object, query = '') => sendJson('POST', `/api/v1/agent/chat/me${query}`, { prompt: CANARY, ...body })
const chat = (rest: string) => `/api/v1/sessions/${session}${rest}`

type Input = [name: string, status: number, code: string, bytes: () => Bytes]

const INPUTS: Record<string, Input[]> = {
  files: [
    ['a program', 422, 'file_unreadable', () => sendFile('name=a.txt', Buffer.from('7f454c4602010100000000000000000002003e00', 'hex'))],
    ['a compressed upload', 415, 'unsupported_media_type', () => sendFile('name=a.txt', 'x', [BYTES_TYPE, 'Content-Encoding: gzip'])],
    ['two names', 400, 'invalid_request', () => sendFile(`name=a&name=${CANARY}`, 'x')],
    ['a name of invisible characters', 400, 'invalid_request', () => sendFile('name=%E2%80%AE%E2%80%8B%00', 'x')],
    ['an attachment by its address', 400, 'invalid_request', () => prompt({ attachments: [`/api/v1/files/f_${UNKNOWN}`] })],
  ],
  'addresses and headers': [
    ['a path with backslashes', 400, 'invalid_request', () => send('GET', String.raw`/api\v1\sessions`)],
    ['a path with two slashes', 400, 'invalid_request', () => send('GET', '//evil.example/api/v1/sessions')],
    ['a fragment', 400, 'invalid_request', () => send('GET', '/api/v1/sessions#x')],
    ['a space before the colon of a header', 400, 'invalid_request', () => head('GET /healthz HTTP/1.1', 'Host: localhost', 'X-A : b')],
    ['a folded header', 400, 'invalid_request', () => head('GET /healthz HTTP/1.1', 'Host: localhost', 'X-A: b', ' c')],
    [
      'two lengths',
      400,
      'invalid_request',
      () => head('POST /api/v1/me/transfer HTTP/1.1', 'Host: localhost', 'Content-Length: 2', 'Content-Length: 3'),
    ],
    [
      'a length with a sign',
      400,
      'invalid_request',
      () => head('POST /api/v1/me/transfer HTTP/1.1', 'Host: localhost', 'Content-Length: +2'),
    ],
    [
      'a chunk without a length',
      400,
      'invalid_request',
      () => [
        ...head('POST /api/v1/me/transfer HTTP/1.1', 'Host: localhost', JSON_TYPE, 'Transfer-Encoding: chunked'),
        'ZZ\r\n{}\r\n0\r\n\r\n',
      ],
    ],
    ['a path with letters that look like others', 400, 'invalid_request', () => send('GET', '/\u0430pi/v1/sessions')],
    [
      'a chunk with an extension of 20 KB',
      400,
      'invalid_request',
      () => [
        ...head('POST /api/v1/me/transfer HTTP/1.1', 'Host: localhost', JSON_TYPE, 'Transfer-Encoding: chunked'),
        `2;${'x'.repeat(20_000)}\r\n{}\r\n0\r\n\r\n`,
      ],
    ],
    ['an unknown expectation', 400, 'invalid_request', () => send('POST', '/api/v1/me/transfer', '{}', [JSON_TYPE, 'Expect: 200-maybe'])],
  ],
  codes: [
    ['a transfer code of 200 emoji', 404, 'transfer_code_unknown', () => sendJson('POST', '/api/v1/transfer', { code: '😀'.repeat(100) })],
  ],
  'clock and database': [
    ['a search for nothing but NUL', 400, 'invalid_request', () => send('GET', '/api/v1/search?q=%00%00')],
    ['an invented cursor of a search', 400, 'invalid_request', () => send('GET', '/api/v1/search?q=hello&cursor=MTIz')],
  ],
  'proxies and other protocols': [
    ['a method in a header', 405, 'method_not_allowed', () => send('POST', chat(''), '', ['X-HTTP-Method-Override: DELETE'])],
    [
      'a method of WebDAV',
      405,
      'method_not_allowed',
      () => send('PROPFIND', '/api/v1/sessions', '<propfind/>', ['Content-Type: text/xml']),
    ],
    ['a method of WebDAV for the page', 405, 'method_not_allowed', () => send('MKCOL', '/')],
    ['a method of WebDAV for a tool’s endpoint', 405, 'method_not_allowed', () => send('REPORT', '/mcp', '{}', [JSON_TYPE])],
    ['a method of WebDAV for an unknown address', 404, 'not_found', () => send('PROPFIND', '/api/v1/nothing')],
    ['a form for the page', 405, 'method_not_allowed', () => send('POST', '/', 'a=b', ['Content-Type: application/x-www-form-urlencoded'])],
    ['the PROXY protocol', 400, 'invalid_request', () => ['PROXY TCP4 192.0.2.1 192.0.2.2 1 2\r\n', ...send('GET', '/healthz')]],
    ['the preface of HTTP/2', 400, 'invalid_request', () => ['PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n']],
    ['a version that does not exist', 400, 'invalid_request', () => head('GET /healthz HTTP/9.9', 'Host: localhost')],
    ['a SOCKS greeting', 400, 'invalid_request', () => [Buffer.from('050100', 'hex')]],
    ['a tunnel', 400, 'invalid_request', () => head('CONNECT evil.example:443 HTTP/1.1', 'Host: evil.example:443')],
  ],
  'page text': [
    [
      'a reason that is a list',
      400,
      'invalid_request',
      () => sendJson('POST', chat('/feedback'), { message: answer, thumb: 'down', reason: [CANARY] }),
    ],
  ],
}

/** The number of rows in every table with visitors' data. */
function countStored(): Record<string, number> {
  const database = new DatabaseSync(join(server.dataDirectory, 'parley.db'), { readOnly: true })
  try {
    const tables = Object.entries(TABLE_OWNERSHIP).flatMap(([table, ownership]) => (ownership ? [table] : []))
    return Object.fromEntries(
      tables.map((table) => [table, Number(database.prepare(`select count(*) as count from ${table}`).get()?.['count'])]),
    )
  } finally {
    database.close()
  }
}

describe.each(Object.entries(INPUTS))('bad input in %s is rejected, and nothing is stored', (_, inputs) => {
  test.each(inputs)('%s: %i %s', async (_name, status, code, bytes) => {
    const [stored, calls] = [countStored(), model.requests.length]
    const reply = await sendRaw(server.url, bytes())
    expect([reply.status, reply.headers.get('content-type')]).toEqual([status, expect.stringMatching(/^application\/problem\+json/)])
    expect(Problem.parse(JSON.parse(reply.body))).toMatchObject({ status, code })
    expect(`${reply.body}${[...reply.headers.values()].join()}`).not.toMatch(
      new RegExp(`${CANARY}|node_modules|\\.ts:|\\n +at |SELECT|sqlite`, 'i'),
    )
    expect([countStored(), model.requests.length]).toEqual([stored, calls])
    const chats = await fetch(`${server.url}/api/v1/sessions`, { headers: { cookie } })
    expect([chats.status, server.pid]).toEqual([200, pid])
  })
})

test.each([
  ['QUERY', '/healthz', 'GET, HEAD'],
  ['PATCH', '/api/v1/config', 'GET, HEAD'],
  ['SEARCH', '/api/v1/sessions', 'DELETE, GET, HEAD'],
])('%s %s is told the methods that the address has', async (method, path, allow) => {
  const reply = await sendRaw(server.url, send(method, path))
  expect([reply.status, reply.headers.get('allow')]).toEqual([405, allow])
})

describe('races', () => {
  async function newChat(): Promise<string> {
    return ((await (await sendPrompt(server.url, 'me', 'race', { headers: { cookie } })).json()) as SendPromptReply).session_id
  }
  const call = (method: string, path: string, body?: object) =>
    fetch(`${server.url}${path}`, {
      method,
      headers: { cookie, 'content-type': 'application/json' },
      ...(body && { body: JSON.stringify(body) }),
    })

  test('a chat that is deleted five times at once is deleted once, and the others read the same receipt or find nothing', async () => {
    const key = await newChat()
    const replies = await Promise.all(Array.from({ length: 5 }, () => call('DELETE', `/api/v1/sessions/${key}`)))
    const receipts = await Promise.all(replies.filter(({ ok }) => ok).map(async (reply) => ((await reply.json()) as ErasureReply).receipt))
    expect(receipts[0]?.deleted['chats']).toBe(1)
    expect(new Set(receipts.map((receipt) => JSON.stringify(receipt))).size).toBe(1)
    expect(replies.every(({ status }) => status === 200 || status === 404)).toBe(true)
  })

  test.each<[string, (key: string) => Promise<Response>]>([
    ['rated', (key) => call('POST', `/api/v1/sessions/${key}/feedback`, { message: `m_${UNKNOWN}`, thumb: 'up' })],
  ])('a chat that is %s while it is deleted leaves nothing', async (_, change) => {
    const stored = countStored()
    const key = await newChat()
    const [deleted, changed] = await Promise.all([call('DELETE', `/api/v1/sessions/${key}`), change(key)])
    expect([deleted.status, [200, 404].includes(changed.status)]).toEqual([200, true])
    expect(countStored()).toEqual(stored)
  })
})
