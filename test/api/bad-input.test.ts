import { readFileSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { withConstants } from '../../scripts/constants.mjs'
import { Problem } from '../../src/contract/problem.ts'
import { listSessions, sendPrompt, spoken } from '../support/api.ts'
import { isCutOff, type RawReply, sendRaw, sendRawBeforeReading } from '../support/raw-http.ts'
import { type ScriptedModel, startScriptedModel } from '../support/scripted-model.ts'
import { startServer, type TestServer } from '../support/server.ts'

/** Planted in inputs. A reply that contains it echoes input. */
const CANARY = 'cAnArY7'
const PATH = '/api/v1/agent/chat/bad-input-tests'
const JSON_TYPE = 'Content-Type: application/json'

let model: ScriptedModel
let server: TestServer
let pid: number
beforeAll(async () => {
  model = await startScriptedModel()
  server = await startServer({ database: 'sqlite', env: { OPENAI_BASE_URL: model.baseUrl, MODEL: 'scripted' } })
  pid = server.pid
})
afterAll(async () => {
  await server.stop()
  await model.close()
})

function post(body: string | Buffer, headers: string[] = [JSON_TYPE], path = PATH): (string | Buffer)[] {
  const length = `Content-Length: ${Buffer.byteLength(body)}`
  return [['POST ' + path + ' HTTP/1.1', 'Host: localhost', length, ...headers, '', ''].join('\r\n'), body]
}

const get = (path: string, headers: string[] = []) => [['GET ' + path + ' HTTP/1.1', 'Host: localhost', ...headers, '', ''].join('\r\n')]
const prompt = (value: unknown) => JSON.stringify({ prompt: value })
const chat = (id: string) => `/api/v1/agent/chat/${id}`

/** Every rejection is a problem with a code, quick, without echoes, internals or a model call, and the next request works. */
async function expectRefused(
  bytes: Iterable<string | Buffer> | AsyncIterable<string | Buffer>,
  status: number | number[],
): Promise<RawReply> {
  const calls = model.requests.length
  const reply = await sendRaw(server.url, bytes)
  expect([status].flat()).toContain(reply.status)
  expect(reply.headers.get('content-type')).toMatch(/^application\/problem\+json/)
  expect(Problem.parse(JSON.parse(reply.body)).status).toBe(reply.status)
  expect(`${reply.body}${[...reply.headers.values()].join()}`).not.toMatch(
    new RegExp(`${CANARY}|node_modules|\\.ts:|\\n +at |SELECT|sqlite`, 'i'),
  )
  expect(model.requests.length).toBe(calls)
  expect((await sendRaw(server.url, get('/healthz'))).status).toBe(200)
  expect(server.pid).toBe(pid)
  return reply
}

describe('rejects a body without a prompt', () => {
  test.each([
    ['nothing, with JSON type', ''],
    ['a broken object', '{"prompt":'],
    ['null', 'null'],
    ['an array', '[]'],
    ['a string', `"${CANARY}"`],
    ['a number', '1'],
    ['an empty object', '{}'],
    ['trailing garbage', `{"prompt":"hi"} ${CANARY}`],
    ['NaN', '{"prompt":NaN}'],
    ['a comment', '{"prompt":"hi"/*c*/}'],
    ['prompt null', prompt(null)],
    ['prompt a number', prompt(1)],
    ['prompt a boolean', prompt(true)],
    ['prompt an array', prompt(['a'])],
    ['prompt an object', prompt({})],
    ['an empty prompt', prompt('')],
    ['spaces only', prompt(' \n\t ')],
    ['zero-width spaces only', prompt('\u200B\uFEFF\u200B')],
    ['an unknown key', `{"prompt":"hi","${CANARY}":1}`],
    ['a role', '{"prompt":"hi","role":"system"}'],
    ['a model', '{"prompt":"hi","model":"x"}'],
    ['a session id', `{"prompt":"hi","session_id":"${'A'.repeat(21)}"}`],
    ['__proto__', '{"prompt":"hi","__proto__":{"admin":true}}'],
    ['constructor.prototype', '{"prompt":"hi","constructor":{"prototype":{"admin":true}}}'],
    ['a 50,000 deep array', '['.repeat(50_000) + ']'.repeat(50_000)],
  ])('%s', async (_name, body) => {
    await expectRefused(post(body), 400)
  })

  test('no body at all', async () => {
    await expectRefused([`POST ${PATH} HTTP/1.1\r\nHost: localhost\r\n${JSON_TYPE}\r\n\r\n`], 400)
  })

  test('a prompt of 32,001 characters', async () => {
    const reply = await expectRefused(post(prompt('a'.repeat(32_001))), 400)
    expect(JSON.parse(reply.body)).toMatchObject({ code: 'prompt_too_long' })
  })

  test('an empty prompt has its own code', async () => {
    const reply = await expectRefused(post(prompt(' ')), 400)
    expect(JSON.parse(reply.body)).toMatchObject({ code: 'prompt_empty' })
  })
})

describe('a body that is too large is cut off', () => {
  const residentBytes = () => Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) * 1024

  test('300 KB', async () => {
    const reply = await expectRefused(post(prompt('a'.repeat(300 * 1024))), 413)
    expect(reply.headers.get('connection')).toBe('close')
  })

  test('a length of 1 GB and one byte', async () => {
    await expectRefused([`POST ${PATH} HTTP/1.1\r\nHost: localhost\r\n${JSON_TYPE}\r\nContent-Length: 1073741824\r\n\r\n{`], 413)
  })

  test('1 GB in chunks does not increase memory', async () => {
    const before = residentBytes()
    let sent = 0
    await expectRefused(
      (function* () {
        yield `POST ${PATH} HTTP/1.1\r\nHost: localhost\r\n${JSON_TYPE}\r\nTransfer-Encoding: chunked\r\n\r\n`
        const chunk = Buffer.from(`10000\r\n${'a'.repeat(0x10000)}\r\n`)
        for (; sent < 1024 ** 3; sent += 0x10000) yield chunk
      })(),
      413,
    )
    expect(sent).toBeLessThan(64 * 1024 ** 2)
    expect(residentBytes() - before).toBeLessThan(64 * 1024 ** 2)
  })

  test('a client that writes as much as it can before it reads finds the rejection', async () => {
    const chunk = Buffer.from(`10000\r\n${'a'.repeat(0x10000)}\r\n`)
    const reply = await sendRawBeforeReading(
      server.url,
      (function* () {
        yield `POST ${PATH} HTTP/1.1\r\nHost: localhost\r\n${JSON_TYPE}\r\nTransfer-Encoding: chunked\r\n\r\n`
        for (let sent = 0; sent < 256 * 1024 ** 2; sent += chunk.length) yield chunk
      })(),
    )
    expect(reply.status).toBe(413)
  })

  test('a byte a second is cut off', async () => {
    const impatient = await startServer({ database: 'sqlite', env: withConstants({ requestTimeoutMs: 3_000 }) })
    onTestFinished(async () => void (await impatient.stop()))
    const isClosed = await isCutOff(
      impatient.url,
      (async function* () {
        yield `POST ${PATH} HTTP/1.1\r\nHost: localhost\r\n${JSON_TYPE}\r\nContent-Length: 100\r\n\r\n`
        for (let count = 0; count < 99; count += 1) {
          yield 'a'
          await pause(1000)
        }
      })(),
    )
    expect(isClosed).toBe(true)
  })
})

describe('accepts text of every kind unchanged', () => {
  test.each([
    ['32,000 characters', 'a'.repeat(32_000)],
    ['32,000 emoji', '😀'.repeat(32_000)],
    ['ANSI escapes', '\u001b[31mred\u001b[0m'],
    ['a right-to-left override', 'abc\u202Edef'],
    ['10,000 combining marks', `e${'\u0301'.repeat(10_000)}`],
    ['CRLF and a line separator', 'one\r\ntwo\u2028three'],
    ['what looks like an event', 'data: x\n\nevent: done'],
    ['markup', '<script>alert(1)</script>'],
  ])('%s', async (name, text) => {
    const id = `text-${name.replace(/\W/g, '-')}`
    const reply = await sendRaw(server.url, post(prompt(text), [JSON_TYPE], chat(id)))
    expect(reply.status).toBe(200)
    const [session] = await listSessions(server.url, id)
    expect(spoken(session)[0]).toEqual(['human', text])
    expect(JSON.stringify(model.requests.at(-1)?.body)).toContain(JSON.stringify(text).slice(1, -1))
  })

  test('removes NUL and replaces lone surrogates, in the database and for the model alike', async () => {
    const reply = await sendRaw(server.url, post('{"prompt":"a\\u0000b\\ud800c"}', [JSON_TYPE], chat('nul')))
    expect(reply.status).toBe(200)
    expect(spoken((await listSessions(server.url, 'nul'))[0])[0]).toEqual(['human', 'ab\uFFFDc'])
    expect(JSON.stringify(model.requests.at(-1)?.body)).toContain('ab\uFFFDc')
  })

  test('rejects invalid UTF-8 instead of repairing it', async () => {
    await expectRefused(post(Buffer.concat([Buffer.from('{"prompt":"a'), Buffer.from([0xff, 0xfe]), Buffer.from('"}')])), 400)
  })

  test('text that looks like an event does not forge one in the stream', async () => {
    model.script([{ text: 'data: x\n\nevent: done\ndata: [DONE]\n\n' }])
    const reply = await sendRaw(server.url, post(prompt('forge'), [JSON_TYPE, 'Accept: text/event-stream'], chat('forge')))
    const lines = reply.body.split('\n').filter((line) => !/^[0-9a-f]+\r?$/.test(line.trim()))
    expect(lines.filter((line) => line.startsWith('event:'))).toEqual([])
    expect(lines.filter((line) => line.trim() === 'data: [DONE]')).toHaveLength(1)
  })
})

describe('the content type must be JSON', () => {
  const body = prompt('hi')
  test.each([
    ['text/plain', ['Content-Type: text/plain'], 415],
    ['urlencoded', ['Content-Type: application/x-www-form-urlencoded'], 415],
    ['multipart', ['Content-Type: multipart/form-data; boundary=x'], 415],
    ['none', [], 415],
    ['another charset', ['Content-Type: application/json; charset=utf-16'], 415],
    ['compressed', [JSON_TYPE, 'Content-Encoding: gzip'], 415],
    ['given twice', [JSON_TYPE, 'Content-Type: text/plain'], 400],
    ['two charsets', [`${JSON_TYPE}; charset=utf-8;charset=utf-16`], 400],
    ['two charsets, with spaces', [`${JSON_TYPE}; charset = utf-8; charset=utf-8`], 400],
  ])('%s', async (_name, headers, status) => {
    await expectRefused(post(body, headers), status)
  })

  test('is accepted in capitals and with a charset', async () => {
    expect((await sendRaw(server.url, post(body, ['Content-Type: APPLICATION/JSON; charset=UTF-8']))).status).toBe(200)
  })
})

describe('headers', () => {
  test('20 KB in one header', async () => {
    await expectRefused(get('/healthz', [`X-Big: ${'a'.repeat(20 * 1024)}`]), 431)
  })

  test('3,000 headers', async () => {
    await expectRefused(
      get(
        '/healthz',
        Array.from({ length: 3000 }, () => 'a:b'),
      ),
      431,
    )
  })

  test('15 KB of Accept', async () => {
    const reply = await sendRaw(server.url, get('/healthz', [`Accept: ${'a/b,'.repeat(3750)}`]))
    expect([200, 431]).toContain(reply.status)
  })

  test('one named __proto__', async () => {
    expect((await sendRaw(server.url, get('/healthz', ['__proto__: x']))).status).toBe(200)
  })

  test.each([
    ['no Host', 'GET /healthz HTTP/1.1\r\n\r\n'],
    ['NUL in a header', 'GET /healthz HTTP/1.1\r\nHost: localhost\r\nX-A: a\0b\r\n\r\n'],
    [
      'both Content-Length and Transfer-Encoding',
      `POST ${PATH} HTTP/1.1\r\nHost: localhost\r\n${JSON_TYPE}\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`,
    ],
    ['random bytes', Buffer.from([0x8f, 0x00, 0x13, 0xfe, 0x0d, 0x0a, 0x0d, 0x0a])],
    ['a TLS hello', Buffer.from('1603010200010001fc0303', 'hex')],
  ])('%s is rejected and the connection closed', async (_name, bytes) => {
    const reply = await expectRefused([bytes], 400)
    expect(reply.headers.get('connection')).toBe('close')
  })
})

describe('rejects a repeated or malformed header that identifies the host or the caller', () => {
  test.each<[string, string[]]>([
    ['two Host headers', ['Host: localhost']],
    ['two Host headers of different case', ['HOST: evil.example']],
    ['two Authorization headers', ['Authorization: Bearer a', 'authorization: Bearer b']],
  ])('%s', async (_name, headers) => {
    await expectRefused(get('/api/v1/sessions', headers), 400)
  })

  test.each(['<script>', 'localhost/x', 'localhost:port', 'user@localhost', 'local host', 'localhost,evil.example', '[::1', '', ':80'])(
    'Host: %s',
    async (host) => {
      await expectRefused([`GET /api/v1/sessions HTTP/1.1\r\nHost: ${host}\r\n\r\n`], 400)
    },
  )
})

describe('rejects a request target that could pass for another path', () => {
  test.each([
    '/%61pi/v1/sessions',
    '/api/v1/%73essions',
    '/api/v1/sessions%2Fx%41',
    '/%31',
    'http://evil.example/api/v1/sessions',
    'HTTPS://evil.example/api/v1/sessions',
    'http://localhost@evil.example/api/v1/sessions',
    'api/v1/sessions',
    'localhost:443',
    '*',
  ])('%s', async (target) => {
    const reply = await expectRefused([`GET ${target} HTTP/1.1\r\nHost: localhost\r\n\r\n`], 400)
    expect(reply.headers.get('content-security-policy')).toContain("default-src 'none'")
  })

  test('accepts the absolute form for this host as the same request', async () => {
    const reply = await sendRaw(server.url, ['GET http://localhost/api/v1/agent/chat/absolute HTTP/1.1\r\nHost: localhost\r\n\r\n'])
    expect([reply.status, reply.body, reply.headers.get('cache-control')]).toEqual([200, '[]', 'no-store'])
    expect(reply.headers.get('content-security-policy')).toContain('sandbox')
  })
})

describe('methods', () => {
  test.each(['PUT', 'DELETE', 'TRACE', 'PATCH'])('%s is rejected with Allow', async (method) => {
    const reply = await expectRefused([`${method} ${PATH} HTTP/1.1\r\nHost: localhost\r\nContent-Length: 0\r\n\r\n`], 405)
    expect(reply.headers.get('allow')).toBe('GET, HEAD, POST')
  })

  test('HEAD answers as GET, without a body', async () => {
    const reply = await sendRaw(server.url, [`HEAD ${PATH} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n`])
    expect(reply.status).toBe(200)
    expect(reply.body).toBe('')
  })

  test('a cross-origin OPTIONS request gets no permission', async () => {
    const reply = await sendRaw(server.url, [
      `OPTIONS ${PATH} HTTP/1.1\r\nHost: localhost\r\nOrigin: https://evil.example\r\nAccess-Control-Request-Method: POST\r\n\r\n`,
    ])
    expect([...reply.headers.keys()].filter((name) => name.startsWith('access-control-'))).toEqual([])
  })
})

describe('ids', () => {
  test.each([
    ['empty', chat('')],
    ['a dot', chat('.')],
    ['escaped slashes', chat('..%2f..%2fetc')],
    ['an escaped NUL', chat(`${CANARY}%00b`)],
    ['escaped line breaks', chat('a%0d%0aSet-Cookie:x')],
    ['a broken escape', chat(`${CANARY}%zz`)],
    ['129 characters', chat('a'.repeat(129))],
    ['an emoji', chat('%F0%9F%98%80')],
    ['spaces and quotes', chat('%27%20OR%201=1--')],
    ['an operator', chat('%7B%22$ne%22:1%7D')],
  ])('%s is rejected', async (_name, path) => {
    const reply = await expectRefused(get(path), 400)
    expect(reply.headers.has('set-cookie')).toBe(false)
  })

  test.each(['__proto__', 'constructor', 'a'.repeat(128)])('%s is an ordinary id without sessions', async (id) => {
    const reply = await sendRaw(server.url, get(chat(id)))
    expect([reply.status, reply.body]).toEqual([200, '[]'])
  })

  test('rejects unknown and repeated query parameters', async () => {
    await expectRefused(post(prompt('hi'), [JSON_TYPE], `${PATH}?${CANARY}=1`), 400)
    await expectRefused(post(prompt('hi'), [JSON_TYPE], `${PATH}?session_id=a&session_id=b`), 400)
    await expectRefused(post(prompt('hi'), [JSON_TYPE], `${PATH}?session_id[]=a`), 400)
    await expectRefused(get(`${PATH}?${CANARY}=1`), 400)
  })
})

describe('idempotency keys', () => {
  const keyed = (key: string, text: string, id: string) => post(prompt(text), [JSON_TYPE, `Idempotency-Key: ${key}`], chat(id))

  test.each([
    ['of 256 characters', 'a'.repeat(256)],
    ['with nothing in it', ''],
    ['with a tab', `${CANARY}\t${CANARY}`],
    ['with bytes that are not ASCII', Buffer.from([0xff, 0xfe]).toString('latin1')],
    ['that comes twice', `${CANARY}\r\nIdempotency-Key: ${CANARY}`],
  ])('one %s is rejected', async (_name, key) => {
    await expectRefused(keyed(key, 'hi', 'keyed-badly'), 400)
  })

  test('rejects one that was used with another body', async () => {
    expect((await sendRaw(server.url, keyed(CANARY, 'this', 'keyed'))).status).toBe(200)
    await expectRefused(keyed(CANARY, 'that', 'keyed'), 422)
    expect(await listSessions(server.url, 'keyed')).toHaveLength(1)
  })

  test('keys of different visitors are independent', async () => {
    expect((await sendRaw(server.url, keyed(CANARY, 'that', 'keyed-elsewhere'))).status).toBe(200)
    expect(spoken((await listSessions(server.url, 'keyed-elsewhere'))[0])[0]).toEqual(['human', 'that'])
  })
})

test('the same process still answers a valid prompt', async () => {
  const response = await sendPrompt(server.url, 'after-all', 'hi')
  expect(response.status).toBe(200)
  expect(server.pid).toBe(pid)
})
