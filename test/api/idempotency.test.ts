import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Turn } from '../../src/contract/chat/sessions.ts'
import { allEvents, cookieOf, listSessions, sendPrompt, spoken, streamPrompt, textOfEvents } from '../support/api.ts'
import { DATABASES } from '../support/databases.ts'
import { type ScriptedModel, startScriptedModel } from '../support/scripted-model.ts'
import { startServer, type TestServer } from '../support/server.ts'

describe.each(DATABASES)('on %s', (database) => {
  let model: ScriptedModel
  let server: TestServer
  beforeAll(async () => {
    model = await startScriptedModel()
    server = await startServer({
      database,
      env: { OPENAI_BASE_URL: model.baseUrl, MODEL: 'scripted', TRUSTED_PROXIES: '127.0.0.1', CLIENT_IDS: 'any' },
    })
  })
  afterAll(async () => {
    await server.stop()
    await model.close()
  })

  const keyed = (key: string, more: Record<string, string> = {}) => ({ headers: { 'idempotency-key': key, ...more } })
  const callsWith = (prompt: string) => model.requests.filter((request) => request.prompt === prompt).length
  const insertAnotherAnswer = (how: 'retry' | 'continue', turn: string, headers: Record<string, string>) =>
    fetch(`${server.url}/api/v1/turns/${turn}/${how}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: '{}',
    })

  test('repeats the reply to a repeated request, also from another page, and stores the prompt and calls the model once', async () => {
    const key = randomUUID()
    const first = await sendPrompt(server.url, 'repeats', 'once', keyed(key))
    const again = await sendPrompt(server.url, 'repeats', 'once', { ...keyed(key), body: { context: { page: 'another' } } })
    expect(await again.json()).toEqual(await first.json())
    expect(callsWith('once')).toBe(1)
    expect((await listSessions(server.url, 'repeats')).map(spoken)).toHaveLength(1)
  })

  test('50 concurrent requests create one turn with one model call, and all get the same reply', async () => {
    const key = randomUUID()
    model.script(({ prompt }) => (prompt === 'fifty' ? [{ text: 'one two three four five six', tokensPerSecond: 20 }] : undefined))
    const events = await Promise.all(
      Array.from({ length: 50 }, async () => allEvents(await streamPrompt(server.url, 'fifty-at-once', 'fifty', keyed(key)))),
    )
    expect(new Set(events.map(textOfEvents))).toEqual(new Set(['one two three four five six']))
    expect(callsWith('fifty')).toBe(1)
    const [session, ...others] = await listSessions(server.url, 'fifty-at-once')
    expect(others).toEqual([])
    expect(spoken(session)).toEqual([
      ['human', 'fifty'],
      ['agent', 'one two three four five six'],
    ])
  })

  describe('a first prompt whose reply was lost', () => {
    const from = (address: string, key: string) => keyed(key, { 'x-forwarded-for': address })
    const listed = async (cookie: string) => (await listSessions(server.url, 'me', { cookie })).map(({ key }) => key)
    const send = async (prompt: string, options: ReturnType<typeof from>) => {
      const response = await sendPrompt(server.url, 'me', prompt, options)
      const { session_id: session } = (await response.json()) as { session_id: string }
      return { cookies: response.headers.getSetCookie(), response, session }
    }

    test('returns the same visitor on retry, who can continue and delete the chat', async () => {
      const key = randomUUID()
      const lost = await send('who am I', from('192.0.2.1', key))
      const again = await send('who am I', from('192.0.2.1', key))
      expect([again.session, again.cookies]).toEqual([lost.session, lost.cookies])
      const cookie = cookieOf(again.response)
      expect(await listed(cookie)).toEqual([lost.session])
      const next = await sendPrompt(server.url, 'me', 'and now', { headers: { cookie }, session: lost.session })
      expect(await next.json()).toMatchObject({ session_id: lost.session })
      expect((await fetch(`${server.url}/api/v1/me`, { method: 'DELETE', headers: { cookie } })).status).toBe(200)
      expect((await fetch(`${server.url}/api/v1/sessions/${lost.session}`)).status).toBe(404)
    })

    test('does not return the visitor’s key to another network, for another body, or after its first use', async () => {
      const key = randomUUID()
      const first = await send('my prompt', from('192.0.2.1', key))
      expect((await send('my prompt', from('192.0.2.2', key))).cookies).toEqual([])
      expect((await sendPrompt(server.url, 'me', 'another', from('192.0.2.1', key))).status).toBe(422)
      expect(await listed(cookieOf(first.response))).toEqual([first.session])
      expect((await send('my prompt', from('192.0.2.1', key))).cookies).toEqual([])
    })

    test('does not return a key for a guessable idempotency key', async () => {
      const first = await send('short', from('192.0.2.1', 'a'.repeat(21)))
      const again = await send('short', from('192.0.2.1', 'a'.repeat(21)))
      expect(again.session).not.toBe(first.session)
      expect(again.cookies).not.toEqual(first.cookies)
    })
  })

  test('rejects the key with a different request, and stores nothing of it', async () => {
    const key = randomUUID()
    await sendPrompt(server.url, 'reuses', 'this', keyed(key))
    const other = await sendPrompt(server.url, 'reuses', 'that', keyed(key))
    expect([other.status, ((await other.json()) as { code: string }).code]).toEqual([422, 'idempotency_key_reused'])
    const elsewhere = await sendPrompt(server.url, 'reuses', 'this', { ...keyed(key), session: 'A'.repeat(21) })
    expect(elsewhere.status).toBe(422)
    expect(await listSessions(server.url, 'reuses')).toHaveLength(1)
    expect(callsWith('that')).toBe(0)
  })

  test('keeps the keys of different visitors separate', async () => {
    const send = async (id: string) => (await sendPrompt(server.url, id, 'mine', keyed('1'))).json()
    const first = [await send('left'), await send('right'), await send('middle')]
    expect(new Set(first.map((reply) => (reply as { session_id: string }).session_id)).size).toBe(3)
    expect([await send('left'), await send('right'), await send('middle')]).toEqual(first)
    expect(callsWith('mine')).toBe(3)
  })

  test('ignores a guessable key without a credential', async () => {
    const replies = await Promise.all([1, 2].map(() => sendPrompt(server.url, 'me', 'short key', keyed('1'))))
    expect(replies.map((reply) => reply.status)).toEqual([200, 200])
    expect(new Set(await Promise.all(replies.map(async (reply) => ((await reply.json()) as { session_id: string }).session_id))).size).toBe(
      2,
    )
  })

  test('repeats the reply of a failed turn, and allows a rejected request to try again with its key', async () => {
    const key = randomUUID()
    model.script(({ prompt }) => (prompt === 'fails' ? { status: 400 } : undefined))
    const [first, again] = [
      await sendPrompt(server.url, 'fails', 'fails', keyed(key)),
      await sendPrompt(server.url, 'fails', 'fails', keyed(key)),
    ]
    expect(again.status).toBe(first.status)
    expect(await again.json()).toEqual(await first.json())
    expect(callsWith('fails')).toBe(1)
    const other = randomUUID()
    expect((await sendPrompt(server.url, 'fails', ' ', keyed(other))).status).toBe(400)
    expect((await sendPrompt(server.url, 'fails', 'not empty', keyed(other))).status).toBe(200)
  })

  test('runs a repeated retry once', async () => {
    let calls = 0
    model.script(({ prompt }) => (prompt === 'retried' ? ((calls += 1), calls === 1 ? { status: 400 } : [{ text: 'better' }]) : undefined))
    const failing = await streamPrompt(server.url, 'me', 'retried')
    const headers = { cookie: cookieOf(failing), 'idempotency-key': randomUUID() }
    const [start] = await allEvents(failing)
    const turn = start?.chunk.type === 'start' ? start.chunk.messageMetadata?.turnId : undefined
    const replies = await Promise.all(Array.from({ length: 10 }, () => insertAnotherAnswer('retry', turn as string, headers)))
    expect(replies.map((reply) => reply.status)).toEqual(Array(10).fill(200))
    const turns = (await Promise.all(replies.map((reply) => reply.json()))) as Turn[]
    expect(new Set(turns.map(({ id }) => id)).size).toBe(1)
    expect(turns[0]?.id).not.toBe(turn)
    const [session] = await listSessions(server.url, 'me', headers)
    expect(session?.messages.length).toBeGreaterThan(0)
    // The calls answer before the model is asked.
    await expect.poll(() => callsWith('retried')).toBe(2)
  })

  test('runs a repeated continuation once, and allows the key of a rejected one to be used again', async () => {
    model.script([{ text: 'half' }, { cut: true }])
    const cut = await streamPrompt(server.url, 'me', 'gone on with')
    const headers = { cookie: cookieOf(cut), 'idempotency-key': randomUUID() }
    const [start] = await allEvents(cut)
    const turn = start?.chunk.type === 'start' ? (start.chunk.messageMetadata?.turnId ?? '') : ''
    const before = model.requests.length
    const replies = await Promise.all(Array.from({ length: 10 }, () => insertAnotherAnswer('continue', turn, headers)))
    expect(replies.map((reply) => reply.status)).toEqual(Array(10).fill(200))
    const turns = (await Promise.all(replies.map((reply) => reply.json()))) as Turn[]
    const made = [...new Set(turns.map(({ id }) => id))]
    expect(made).toHaveLength(1)
    await allEvents(await fetch(`${server.url}/api/v1/turns/${made[0]}/stream`, { headers }))
    // The model continues the answer instead of answering the prompt again.
    expect(model.requests.length).toBe(before + 1)
    const key = randomUUID()
    expect((await insertAnotherAnswer('retry', made[0] as string, { ...headers, 'idempotency-key': key })).status).toBe(409)
    const session = turns[0]?.session ?? ''
    expect((await sendPrompt(server.url, 'me', 'with that key', { session, headers: { ...headers, 'idempotency-key': key } })).status).toBe(
      200,
    )
  })

  test('runs a stored prompt once even after a crash', async () => {
    const key = randomUUID()
    const first = await sendPrompt(server.url, 'crash', 'before the crash', keyed(key))
    await server.restart('SIGKILL')
    const again = await sendPrompt(server.url, 'crash', 'before the crash', keyed(key))
    expect(await again.json()).toEqual(await first.json())
    expect(callsWith('before the crash')).toBe(1)
  })

  test.each([
    ['empty', ''],
    ['of 256 characters', 'a'.repeat(256)],
    ['with a space', 'a b'],
    ['with other than ASCII', 'ü'],
  ])('rejects a key that is %s', async (_name, key) => {
    const reply = await sendPrompt(server.url, 'bad-key', 'hi', keyed(key))
    expect([reply.status, ((await reply.json()) as { code: string }).code]).toEqual([400, 'invalid_request'])
    expect(await listSessions(server.url, 'bad-key')).toEqual([])
  })

  test('accepts a key of 255 characters', async () => {
    expect((await sendPrompt(server.url, 'long-key', 'hi', keyed('k'.repeat(255)))).status).toBe(200)
  })
})
