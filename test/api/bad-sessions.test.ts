import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { SendPromptReply } from '../../src/contract/chat/chat.ts'
import { Problem } from '../../src/contract/problem.ts'
import { cookieOf, listSessions, sendPrompt, spoken } from '../support/api.ts'
import { DATABASES } from '../support/databases.ts'
import { type RawReply, sendRaw } from '../support/raw-http.ts'
import { type ScriptedModel, startScriptedModel } from '../support/scripted-model.ts'
import { runSql } from '../support/run-sql.ts'
import { startServer, type TestServer } from '../support/server.ts'

/** Planted in inputs. A reply that contains it echoes input. */
const CANARY = 'cAnArY9'
const BODY = '{"prompt":"hello"}'

describe.each(DATABASES)('sessions of other visitors, on %s', (database) => {
  let model: ScriptedModel
  let server: TestServer
  let pid: number
  let mine: Chat
  let foreign: Chat
  /** Sessions that the caller can't access. Replies must not reveal why. */
  let absent: Record<string, string>

  interface Chat {
    cookie: string
    session: string
  }

  beforeAll(async () => {
    model = await startScriptedModel()
    server = await startServer({ database, env: { OPENAI_BASE_URL: model.baseUrl, MODEL: 'scripted' } })
    pid = server.pid
    mine = await chat()
    foreign = await chat()
    const expired = await chat(mine.cookie)
    await expire(expired.session)
    const deleted = await chat(mine.cookie)
    await sendRaw(server.url, raw('DELETE', `/api/v1/sessions/${deleted.session}`, mine.cookie))
    absent = { foreign: foreign.session, expired: expired.session, deleted: deleted.session, unknown: 'A'.repeat(21) }
  })
  afterAll(async () => {
    expect(server.pid).toBe(pid)
    expect(await server.stop(), server.output()).toBe(0)
    await model.close()
  })

  /** A chat that its id alone can't open. */
  async function chat(known?: string): Promise<Chat> {
    const response = await sendPrompt(server.url, 'me', 'hello', known === undefined ? {} : { headers: { cookie: known } })
    const cookie = known ?? cookieOf(response)
    const { session_id: session } = (await response.json()) as SendPromptReply
    await fetch(`${server.url}/api/v1/sessions/${session}`, { headers: { cookie } })
    return { cookie, session }
  }

  /** Expires a chat that has not been purged yet. */
  const expire = (session: string) => runSql(server, `update sessions set updated_at = 0 where id = '${session}'`)

  function raw(method: string, path: string, cookie: string, headers: string[] = [], body = ''): string[] {
    const all = [
      `${method} ${path} HTTP/1.1`,
      'Host: localhost',
      `Cookie: ${cookie}`,
      `Content-Length: ${Buffer.byteLength(body)}`,
      ...headers,
    ]
    return [`${all.join('\r\n')}\r\n\r\n${body}`]
  }

  const bytesOf = ({ status, headers, body }: RawReply, session?: string) => {
    // The remaining quota decreases with every prompt.
    const kept = [...headers].filter(([name]) => !['date', 'ratelimit', 'x-request-id'].includes(name))
    return JSON.stringify([status, kept, session ? body.replace(session, 'SESSION') : body])
  }

  test('a prompt starts a new session, with identical bytes and headers for each of them', async () => {
    const replies = new Set<string>()
    for (const session of Object.values(absent)) {
      const path = `/api/v1/agent/chat/me?session_id=${session}`
      const reply = await sendRaw(server.url, raw('POST', path, mine.cookie, ['Content-Type: application/json'], BODY))
      expect(reply.status).toBe(200)
      const { session_id: made } = JSON.parse(reply.body) as SendPromptReply
      expect(made).not.toBe(session)
      replies.add(bytesOf(reply, made))
    }
    expect([...replies].slice(1)).toEqual([])
    expect(spoken((await listSessions(server.url, 'me', { cookie: foreign.cookie }))[0])).toHaveLength(2)
  })

  test.each([
    ['GET', ''],
    ['DELETE', ''],
    ['GET', '/export'],
    ['GET', '/export?format=json'],
  ])('%s /api/v1/sessions/{key}%s replies identically for all of them', async (method, rest) => {
    const replies = new Set<string>()
    for (const session of Object.values(absent)) {
      const reply = await sendRaw(server.url, raw(method, `/api/v1/sessions/${session}${rest}`, mine.cookie))
      expect(reply.status).toBe(404)
      replies.add(bytesOf(reply))
    }
    expect([...replies].slice(1)).toEqual([])
    expect(await listSessions(server.url, 'me', { cookie: foreign.cookie })).toHaveLength(1)
  })

  const rejections: [name: string, method: string, path: string, headers?: string[], body?: string][] = [
    ['a key that is too short', 'DELETE', '/api/v1/sessions/AAAA'],
    ['a key with escaped slashes', 'DELETE', '/api/v1/sessions/..%2f..%2fetc'],
    ['a key with an escaped NUL', 'GET', `/api/v1/sessions/${CANARY}%00/export`],
    ['a broken escape', 'DELETE', `/api/v1/sessions/${CANARY}%zz`],
    ['a negative limit', 'GET', '/api/v1/sessions?limit=-1'],
    ['half a limit', 'GET', '/api/v1/sessions?limit=1.5'],
    ['a forged cursor', 'GET', `/api/v1/sessions?cursor=${CANARY}`],
    ['a limit of an export', 'GET', '/api/v1/me/export?limit=1'],
    ['an id that is none', 'DELETE', `/api/v1/me?id=${CANARY}%20x`],
    ['an id twice', 'DELETE', '/api/v1/me?id=a&id=b'],
    ['a list of ids', 'DELETE', '/api/v1/sessions?id[]=a'],
    ['a format that is none', 'GET', `/api/v1/sessions/${'A'.repeat(21)}/export?format=${CANARY}`],
    ['a code that is a list', 'POST', '/api/v1/transfer', ['Content-Type: application/json'], '{"code":["a"]}'],
    ['a code with __proto__', 'POST', '/api/v1/transfer', ['Content-Type: application/json'], '{"code":"a","__proto__":{"replace":true}}'],
    ['a code with trailing garbage', 'POST', '/api/v1/transfer', ['Content-Type: application/json'], `{"code":"a"} ${CANARY}`],
  ]

  test.each(rejections)('%s is rejected', async (_name, method, path, headers, body) => {
    const reply = await sendRaw(server.url, raw(method, path, mine.cookie, headers, body))
    expect(reply.status).toBe(400)
    expect(Problem.parse(JSON.parse(reply.body)).status).toBe(400)
    expect(`${reply.body}${[...reply.headers.values()].join()}`).not.toMatch(new RegExp(`${CANARY}|\\.ts:|\\n +at |SELECT|sqlite`, 'i'))
    expect((await listSessions(server.url, 'me', { cookie: mine.cookie })).map(({ key }) => key)).toContain(mine.session)
  })

  test('an optional body of DELETE must be JSON and does not change what is deleted', async () => {
    const path = `/api/v1/sessions/${'A'.repeat(21)}`
    expect((await sendRaw(server.url, raw('DELETE', path, mine.cookie, ['Content-Type: text/plain'], 'x'))).status).toBe(415)
    expect((await sendRaw(server.url, raw('DELETE', path, mine.cookie, ['Content-Type: application/json'], '{"all":'))).status).toBe(400)
    const { session } = await chat(mine.cookie)
    const typed = raw('DELETE', `/api/v1/sessions/${session}`, mine.cookie, ['Content-Type: application/json'])
    expect((await sendRaw(server.url, typed)).status).toBe(200)
    expect((await listSessions(server.url, 'me', { cookie: mine.cookie })).map(({ key }) => key)).toContain(mine.session)
  })
})
