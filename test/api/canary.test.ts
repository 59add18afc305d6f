import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { cookieOf, readEvents, sendPrompt, streamPrompt } from '../support/api.ts'
import { DATABASES } from '../support/databases.ts'
import { sendRaw } from '../support/raw-http.ts'
import { type Script, type ScriptedModel, startScriptedModel } from '../support/scripted-model.ts'
import { runSql } from '../support/run-sql.ts'
import { startServer, type TestServer } from '../support/server.ts'

/** Planted in visitors' texts and identifiers. */
const PROMPT = 'cAnArY-of-a-prompt'
const CLIENT_ID = 'cAnArY-of-an-id-that-a-client-chose'
const ADDRESSES = ['203.0.113.77', '2001:db8:ca:4a::7']
const QUERY = 'cAnArY-of-a-query'

/** Model failures whose messages quote the visitor. */
const FAILURES: Record<string, Script> = {
  'a refusal that quotes the prompt': {
    status: 400,
    body: JSON.stringify({ error: { message: `"${PROMPT}" is not allowed`, type: 'invalid_request_error' } }),
  },
  'a fault that quotes the prompt': { status: 500, body: `<html>${PROMPT}</html>` },
  'an error in the stream': [{ text: 'So' }, { raw: `data: ${JSON.stringify({ error: { message: PROMPT } })}\n\n` }],
  'an event that is broken': [{ text: 'So' }, { raw: `data: {"choices": "${PROMPT}\n\n` }],
  'an event of another form': [{ raw: `data: {"choices":[{"delta":{"content":{"${PROMPT}":1}}}]}\n\n` }],
  'a cut': [{ text: PROMPT }, { cut: true }],
  'a tool that is not there': [{ toolCall: { name: PROMPT, arguments: { [PROMPT]: PROMPT } } }],
  'arguments that are no JSON': [{ toolCall: { name: 'calculator', arguments: `{"${PROMPT}` } }],
  'arguments that the tool cannot use': [{ toolCall: { name: 'calculator', arguments: { expression: PROMPT } } }],
  'no words': [],
}

interface Reply {
  status: number
  text: string
}

describe.each(DATABASES)('at the lowest log level, on %s', (database) => {
  let model: ScriptedModel
  let server: TestServer
  let visitor: { cookie: string; session: string; sub: string }
  const errors: Reply[] = []

  beforeAll(async () => {
    model = await startScriptedModel()
    model.script(() => playing)
    server = await startServer({
      database,
      env: { OPENAI_BASE_URL: model.baseUrl, MODEL: 'scripted', LOG_LEVEL: 'debug', TRUSTED_PROXIES: '127.0.0.1' },
    })
    visitor = await newVisitor()
  })
  afterAll(async () => {
    await server.stop()
    await model.close()
  })

  /** The model's current script; undefined for the default. */
  let playing: Script | undefined
  let asked = 0
  const from = () => ({ 'x-forwarded-for': ADDRESSES[(asked += 1) % ADDRESSES.length] ?? '' })

  /** Records error replies. */
  async function heard(reply: Promise<Response>): Promise<Response> {
    const response = await reply
    if (response.status >= 400) errors.push({ status: response.status, text: await response.clone().text() })
    return response
  }

  const ask = (path: string, init: RequestInit = {}) =>
    heard(fetch(server.url + path, { redirect: 'manual', ...init, headers: { cookie: visitor.cookie, ...from(), ...init.headers } }))
  const prompt = (id: string, headers: Record<string, string> = { cookie: visitor.cookie }, session = visitor.session) =>
    heard(sendPrompt(server.url, id, `${PROMPT} ${id}`, { headers: { ...from(), ...headers }, session }))

  async function newVisitor() {
    const response = await heard(sendPrompt(server.url, 'me', PROMPT, { headers: from() }))
    const cookie = cookieOf(response)
    const { session_id: session } = (await response.json()) as { session_id: string }
    const me = await fetch(`${server.url}/api/v1/me`, { headers: { cookie } })
    const { visitor: known } = (await me.json()) as { visitor: { sub: string } }
    return { cookie, session, sub: known.sub }
  }

  test.each(Object.entries(FAILURES))('logs a model’s failure without its content: %s', async (_name, script) => {
    playing = script
    const stream = await heard(streamPrompt(server.url, 'me', PROMPT, { headers: { cookie: visitor.cookie, ...from() } }))
    await stream.text()
    const whole = await prompt('me')
    playing = undefined
    expect([stream.status, whole.ok || whole.status >= 500]).toEqual([200, true])
  })

  test('logs a database failure without the data to store', async () => {
    await runSql(server, 'alter table messages rename to hidden')
    for (const id of ['me', CLIENT_ID]) await prompt(id, id === 'me' ? undefined : {}, '')
    await ask(`/api/v1/sessions/${visitor.session}`)
    await runSql(server, 'alter table hidden rename to messages')
    expect(errors.filter(({ status }) => status === 503).length).toBeGreaterThan(1)
  })

  test.runIf(database === 'postgres')('logs an error that quotes a row without the row', async () => {
    await runSql(server, 'alter table messages add constraint broken check (length(parts) < 0) not valid')
    const before = errors.length
    await prompt('me')
    await prompt(CLIENT_ID, {}, '')
    await runSql(server, 'alter table messages drop constraint broken')
    expect(errors.length).toBe(before + 2)
  })

  test('logs a database failure during an answer without the answer', async () => {
    const hidden = Promise.withResolvers<void>()
    playing = [{ text: `${PROMPT} ` }, { until: hidden.promise }, { text: PROMPT }]
    const response = await streamPrompt(server.url, 'me', PROMPT, { headers: { cookie: visitor.cookie } })
    const events = readEvents(response)
    await events.next()
    playing = undefined
    await runSql(server, 'alter table messages rename to hidden')
    hidden.resolve()
    const failure = /(?:Persisting|Storing|Reading)[^"]* failed/
    await expect.poll(() => failure.test(server.output())).toBe(true)
    await runSql(server, 'alter table hidden rename to messages')
    await Array.fromAsync(events)
  })

  test('rejections do not repeat any of the request', async () => {
    const key = visitor.cookie.split('=')[1] ?? ''
    const json = { 'content-type': 'application/json' }
    const unknownKey = key.replace(/^./, (first) => (first === 'A' ? 'B' : 'A'))
    await ask(`/api/v1/sessions/${visitor.session}?${QUERY}=1`)
    await ask(`/api/v1/agent/chat/${PROMPT}%00`)
    await ask(`/api/v1/agent/chat/%zz${PROMPT}`)
    await ask(`/api/v1/agent/chat/me?session_id=${visitor.session}&session_id=${visitor.session}`, {
      method: 'POST',
      headers: json,
      body: '{}',
    })
    await ask(`/api/v1/agent/chat/me?session_id=${visitor.session}`, {
      method: 'POST',
      headers: json,
      body: `{"prompt":"${PROMPT}","${PROMPT}":1}`,
    })
    await ask(`/api/v1/agent/chat/me`, { method: 'POST', headers: json, body: `{"prompt": ${PROMPT}` })
    await ask(`/api/v1/agent/chat/me`, { method: 'POST', headers: json, body: JSON.stringify({ prompt: PROMPT.repeat(2_000) }) })
    await ask(`/api/v1/agent/chat/me`, { method: 'POST', headers: { ...json, origin: 'https://evil.example' }, body: '{}' })
    await ask(`/api/v1/me`, { headers: { authorization: `Bearer ${unknownKey}`, cookie: '' } })
    await ask(`/api/v1/me`, { headers: { authorization: `Bearer ${unknownKey}`, cookie: visitor.cookie } })
    await ask(`/api/${PROMPT}?${QUERY}`)
    await ask(`/api/v1/turns/${PROMPT}`)
    const raw = await sendRaw(server.url, [
      `GET /${PROMPT} HTTP/1.1\r\nHost: localhost\r\nCookie: ${visitor.cookie}\r\nX-${PROMPT}: a\0b\r\n\r\n`,
    ])
    errors.push({ status: raw.status, text: raw.body })
    expect(errors.map(({ status }) => status)).toEqual(expect.arrayContaining([400, 401, 403, 404]))
  })

  test('no log line or error body contains a key, a sub, a session, a prompt, an id or an address', async () => {
    await prompt(CLIENT_ID, {}, '')
    await ask('/api/v1/sessions')
    const other = await newVisitor()
    await ask(`/api/v1/sessions/${other.session}`)
    const { session_id: kept } = (await (await prompt('me')).json()) as { session_id: string }
    // The log is flushed when the process ends.
    await server.kill()
    const secrets = [visitor, other].flatMap(({ cookie, session, sub }) => [cookie.split('=')[1] ?? '', session, sub])
    const marks = [PROMPT, CLIENT_ID, QUERY, ...ADDRESSES, kept, ...secrets]
    const log = server.output()
    expect(['A turn', 'A request failed', 'A route'].filter((words) => !log.includes(words))).toEqual([])
    expect(errors.length).toBeGreaterThan(20)
    const places = [['log', log], ...errors.map(({ status, text }) => [`error ${status}`, text])] as [string, string][]
    const hits = places.flatMap(([place, text]) =>
      marks.filter((mark) => text.toLowerCase().includes(mark.toLowerCase())).map((mark) => `${mark} in ${place}`),
    )
    expect(hits).toEqual([])
    // The log still identifies the session by a hash.
    expect(/"route":"\/api\/v1\/sessions\/:key","ids":\{"key":"[0-9a-f]{8}"\}/.test(log)).toBe(true)
  })
})
