import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { SendPromptReply, StoredSession } from '../../src/contract/chat/chat.ts'
import type { SessionDetail, SessionList, Turn } from '../../src/contract/chat/sessions.ts'
import { allEvents, cookieOf, readEvents, sendPrompt } from '../support/api.ts'
import { DATABASES } from '../support/databases.ts'
import { type ScriptedModel, startScriptedModel } from '../support/scripted-model.ts'
import { startServer, type TestServer } from '../support/server.ts'

/** The specification's client: no cookie, no browser, an id of its own in the address. */
describe.each(DATABASES)('a client with an id of its own, on %s', (database) => {
  const agents = mkdtempSync(join(tmpdir(), 'client-ids-'))
  let model: ScriptedModel
  let server: TestServer
  let id: string

  beforeAll(async () => {
    model = await startScriptedModel()
    const front = 'name: Anna\ngreeting: Hello.\ntools: [calculator]\napproval: [calculator]'
    for (const agent of ['assistant', 'cook']) writeFileSync(join(agents, `${agent}.md`), `---\n${front}\n---\nYou are Anna, ${agent}.\n`)
    // Strong ids only, as on a public server.
    const env = { AGENTS_DIR: agents, OPENAI_BASE_URL: model.baseUrl, MODEL: 'm', CLIENT_IDS: 'strong' }
    server = await startServer({ database, env })
  })
  afterAll(async () => {
    await server.stop()
    await model.close()
    rmSync(agents, { recursive: true })
  })
  beforeEach(() => {
    id = crypto.randomUUID()
    model.clear()
  })

  const call = (method: string, path: string, body?: object, by = `id=${id}`) =>
    fetch(`${server.url}/api/v1/${path}${path.includes('?') ? '&' : '?'}${by}`, {
      method,
      ...(body && { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
    })
  async function ok<T>(method: string, path: string, body?: object): Promise<T> {
    const response = await call(method, path, body)
    expect([path, response.status]).toEqual([path, 200])
    return (await response.json()) as T
  }
  const send = async (prompt: string) => (await (await sendPrompt(server.url, id, prompt)).json()) as SendPromptReply
  const detailOf = (session: string) => ok<SessionDetail>('GET', `sessions/${session}`)
  const turnOf = async (session: string) => (await detailOf(session)).messages.at(-1)?.metadata?.turnId ?? ''

  async function chat(): Promise<string> {
    model.script([{ text: 'It is 36.' }])
    return (await send('What is 15% of 240?')).session_id
  }

  /** The turn that is running in a session, and the session. */
  async function startLongAnswer(): Promise<{ session: string; turn: string }> {
    model.script([{ text: 'It begins ' }, { silence: true }])
    const response = await sendPrompt(server.url, id, 'Tell me a story', { headers: { accept: 'text/event-stream' } })
    let named = {}
    for await (const { chunk } of readEvents(response)) {
      if (chunk.type === 'start') named = chunk.messageMetadata ?? {}
      if (chunk.type === 'text-delta') break
    }
    const { sessionId: session = '', turnId: turn = '' } = named as { sessionId?: string; turnId?: string }
    return { session, turn }
  }

  test('lists, reads and finds its chats', async () => {
    const session = await chat()
    const [listed] = await ok<StoredSession[]>('GET', `agent/chat/${id}`)
    expect(listed?.key).toBe(session)
    expect((await ok<SessionList>('GET', 'sessions')).sessions.map(({ key }) => key)).toEqual([session])
    expect((await detailOf(session)).messages).toHaveLength(2)
    expect((await ok<SessionDetail>('GET', `sessions/${session}/messages?limit=1`)).messages).toHaveLength(1)
    expect((await ok<{ chats: object[] }>('GET', 'search?q=240')).chats).toHaveLength(1)
    expect((await ok<{ stored: object[] }>('GET', 'me/data')).stored).toContainEqual({ kind: 'chats', count: 1 })
    expect((await allEvents(await call('GET', `turns/${await turnOf(session)}/stream`))).length).toBeGreaterThan(1)
    const followed = await call('GET', 'me/events')
    expect(followed.status).toBe(200)
    await followed.body?.cancel()
  })

  test('stops an answer and continues it, with neither body nor content type', async () => {
    const { session, turn } = await startLongAnswer()
    expect(await ok<Turn>('POST', `turns/${turn}/stop`)).toMatchObject({ status: 'stopped' })
    model.script([{ text: 'and goes on.' }])
    const continued = await ok<Turn>('POST', `turns/${turn}/continue`)
    await allEvents(await call('GET', `turns/${continued.id}/stream`))
    expect(JSON.stringify((await detailOf(session)).messages.at(-1)?.parts)).toContain('and goes on.')
  })

  test('retries a failed answer', async () => {
    model.script({ status: 400 })
    const failed = await sendPrompt(server.url, id, 'Break')
    const session = failed.headers.get('content-location')?.split('/').at(-1) ?? ''
    model.script([{ text: 'Mended.' }])
    const retried = await ok<Turn>('POST', `turns/${await turnOf(session)}/retry`)
    await allEvents(await call('GET', `turns/${retried.id}/stream`))
    expect(JSON.stringify((await detailOf(session)).messages.at(-1)?.parts)).toContain('Mended.')
  })

  test('approves a tool call', async () => {
    model.script([{ toolCall: { name: 'calculator', arguments: { expression: '2 + 2' } } }])
    const { session_id: session, awaiting_approval: awaiting } = await send('What is 2 + 2?')
    model.script([{ text: 'It is 4.' }])
    const decisions = awaiting?.requests.map((request) => ({ id: request.id, approved: true, signature: request.signature }))
    const turn = await ok<Turn>('POST', `turns/${awaiting?.turn}/approve`, { decisions })
    await allEvents(await call('GET', `turns/${turn.id}/stream`))
    expect(JSON.stringify((await detailOf(session)).messages.at(-1)?.parts)).toContain('It is 4.')
  })

  test('rates, reports, answers again and switches versions', async () => {
    const session = await chat()
    const message = (await detailOf(session)).messages.at(-1)?.id ?? ''
    await ok('POST', `sessions/${session}/feedback`, { message, thumb: 'up' })
    const report = await ok<{ id: string }>('POST', `sessions/${session}/reports`, { message, scope: 'rating' })
    expect(await ok('GET', 'me/reports')).toMatchObject({ reports: [{ id: report.id }] })
    await ok('DELETE', `reports/${report.id}`)
    model.script([{ text: 'It is thirty-six.' }])
    const again = await ok<Turn>('POST', `sessions/${session}/regenerate`, {})
    await allEvents(await call('GET', `turns/${again.id}/stream`))
    await ok('POST', `sessions/${session}/branch`, { message })
    expect((await detailOf(session)).messages.at(-1)).toMatchObject({ id: message, metadata: { feedback: { thumb: 'up' } } })
  })

  test('sends a file, exports, and deletes one chat or everything', async () => {
    const upload = { method: 'POST', headers: { 'content-type': 'application/octet-stream' }, body: 'Nutmeg.' }
    const file = (await (await fetch(`${server.url}/api/v1/files?name=a.txt&id=${id}`, upload)).json()) as { id: string }
    model.script([{ text: 'Nutmeg.' }])
    const reply = await (await call('POST', `agent/chat/${id}`, { prompt: 'What is in it?', attachments: [file.id] }, '')).json()
    const session = (reply as SendPromptReply).session_id
    await ok<object>('GET', `sessions/${session}/export?format=json`)
    expect((await call('GET', 'me/export')).status).toBe(200)
    await ok('DELETE', `sessions/${session}`)
    expect((await ok<SessionList>('GET', 'sessions')).sessions).toEqual([])
    await ok('DELETE', 'sessions')
    await chat()
    await ok('DELETE', 'me')
    expect(await ok('GET', `agent/chat/${id}`)).toEqual([])
  })

  test('chooses an agent, whose chats it lists apart, and names no second id', async () => {
    await chat()
    model.script([{ text: 'Soup.' }])
    const reply = await call('POST', 'agent/chat/cook', { prompt: 'What do you cook?' })
    const { session_id: session } = (await reply.json()) as SendPromptReply
    expect(reply.headers.get('set-cookie')).toBeNull()
    expect(JSON.stringify(model.requests.at(-1)?.body.messages)).toContain('You are Anna, cook.')
    expect((await ok<StoredSession[]>('GET', 'agent/chat/cook')).map(({ key }) => key)).toEqual([session])
    expect((await ok<SessionList>('GET', 'sessions')).sessions).toHaveLength(2)
    expect((await call('POST', `agent/chat/${crypto.randomUUID()}`, { prompt: 'Whose?' })).status).toBe(400)
  })

  test('alone opens its chats: no other id, no session id and no visitor does', async () => {
    const { session, turn } = await startLongAnswer()
    const visitor = { cookie: cookieOf(await sendPrompt(server.url, 'me', 'Hello')) }
    const message = (await detailOf(session)).messages[0]?.id
    const calls: [string, string, object?][] = [
      ['GET', `sessions/${session}`],
      ['GET', `sessions/${session}/messages`],
      ['GET', `sessions/${session}/export`],
      ['POST', `sessions/${session}/feedback`, { message, thumb: 'up' }],
      ['POST', `sessions/${session}/reports`, { message, scope: 'rating' }],
      ['POST', `sessions/${session}/regenerate`, {}],
      ['POST', `sessions/${session}/branch`, { message }],
      ['GET', `turns/${turn}`],
      ['GET', `turns/${turn}/stream`],
      ['GET', `turns/${turn}/events`],
      ['POST', `turns/${turn}/stop`],
      ['POST', `turns/${turn}/retry`],
      ['POST', `turns/${turn}/continue`],
      ['DELETE', `sessions/${session}`],
    ]
    for (const [method, path, body] of calls) {
      const others = ['', `id=${crypto.randomUUID()}`, 'id=me', 'id=cook', `id=${session}`, 'id=me-and-my-test']
      const replies = await Promise.all(others.map((by) => call(method, path, body, by)))
      const headers = { ...visitor, ...(body && { 'content-type': 'application/json' }) }
      const init = { method, headers, ...(body && { body: JSON.stringify(body) }) }
      replies.push(await fetch(`${server.url}/api/v1/${path}?id=${id}`, init))
      expect([path, ...replies.map(({ status }) => status)]).toEqual([path, ...replies.map(() => 404)])
    }
    await ok('POST', `turns/${turn}/stop`)
  })

  test('is told that its answer reached the length limit', async () => {
    model.script([{ text: 'It is' }, { finish: 'length' }])
    expect(await send('Tell me everything')).toMatchObject({ response: 'It is', code: 'answer_too_long' })
  })

  test('is told to use an id where a page of another site sends a file', async () => {
    const headers = { 'content-type': 'application/octet-stream', 'sec-fetch-site': 'cross-site', origin: 'https://shop.example.org' }
    const strict = await startServer({ database, env: { ALLOWED_ORIGINS: 'https://shop.example.org' } })
    try {
      const upload = (query: string) =>
        fetch(`${strict.url}/api/v1/files?name=a.txt${query}`, {
          method: 'POST',
          headers: { ...headers, 'privacy-consent': 'true' },
          body: 'x',
        })
      expect(await (await upload('')).json()).toMatchObject({ status: 401, code: 'credential_required' })
      expect((await upload(`&id=${id}`)).status).toBe(200)
    } finally {
      await strict.stop()
    }
  })
})
