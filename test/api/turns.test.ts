import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { SendPromptReply } from '../../src/contract/chat.ts'
import { MessageBuilder } from '../../src/contract/message-builder.ts'
import type { Problem } from '../../src/contract/problem.ts'
import type { SessionDetail, Turn } from '../../src/contract/sessions.ts'
import {
  allEvents,
  cookieOf,
  listSessions,
  readEvents,
  sendPrompt,
  spoken,
  type StreamEvent,
  streamPrompt,
  textOfEvents,
} from '../support/api.ts'
import { DATABASES } from '../support/databases.ts'
import { type Script, type ScriptedModel, startScriptedModel } from '../support/scripted-model.ts'
import { startServer, type TestServer } from '../support/server.ts'

const WORDS = Array.from({ length: 40 }, (_, index) => `word${index} `)
const SLOW: Script = [{ text: WORDS, tokensPerSecond: 40 }]

describe.each(DATABASES)('a turn on %s', (database) => {
  let model: ScriptedModel
  let server: TestServer
  beforeAll(async () => {
    model = await startScriptedModel()
    model.script((request) => (request.prompt.startsWith('slow') ? SLOW : undefined))
    server = await startServer({ database, env: { OPENAI_BASE_URL: model.baseUrl, MODEL: 'scripted' } })
  })
  afterAll(async () => {
    const code = await server.stop()
    await model.close()
    // A process that a fault has ended cannot end well again.
    expect(code, server.output()).toBe(0)
  })

  interface Conversation {
    cookie: string
    session: string
    turn: string
    events: AsyncGenerator<StreamEvent>
    first: StreamEvent[]
    leave(): void
  }

  /** Sends a prompt as a page does, and reads its stream until the first text. */
  async function begin(prompt: string): Promise<Conversation> {
    const leaving = new AbortController()
    const response = await streamPrompt(server.url, 'me', prompt, { signal: leaving.signal })
    const events = readEvents(response)
    const first: StreamEvent[] = []
    do {
      const { value } = await events.next()
      first.push(value as StreamEvent)
    } while (first.at(-1)?.chunk.type !== 'text-delta')
    const start = first[0]?.chunk
    const metadata = start?.type === 'start' ? start.messageMetadata : undefined
    return {
      cookie: cookieOf(response),
      session: metadata?.sessionId ?? '',
      turn: metadata?.turnId ?? '',
      events,
      first,
      leave: () => leaving.abort(),
    }
  }

  const call = (path: string, cookie: string, init: RequestInit = {}) =>
    fetch(server.url + path, {
      ...init,
      headers: { cookie, ...(init.method === 'POST' && { 'content-type': 'application/json' }), ...init.headers },
    })
  const post = (path: string, cookie: string) => call(path, cookie, { method: 'POST', body: '{}' })
  const follow = (turn: string, cookie: string, headers: Record<string, string> = {}) =>
    call(`/api/v1/turns/${turn}/stream`, cookie, { headers })
  const detailOf = async ({ session, cookie }: Conversation) =>
    (await (await call(`/api/v1/sessions/${session}`, cookie)).json()) as SessionDetail
  const wholeText = WORDS.join('')

  test('goes on when its reader goes away, and is there on return', async () => {
    const conversation = await begin('slow: closed page')
    conversation.leave()
    expect((await detailOf(conversation)).runningTurn).toBe(conversation.turn)
    const events = await allEvents(await follow(conversation.turn, conversation.cookie))
    expect(textOfEvents(events)).toBe(wholeText)
    expect(events.at(-1)?.chunk.type).toBe('finish')
    const detail = await detailOf(conversation)
    expect(detail.runningTurn).toBeNull()
    expect(detail.messages.at(-1)?.metadata).toMatchObject({ status: 'done', turnId: conversation.turn })
  })

  test('stores the prompt before the model is called', async () => {
    let stored: [string, string][] = []
    model.script((request) => {
      if (request.prompt !== 'stored first?') return undefined
      return { delayMs: 0, steps: [{ pauseMs: 100 }, { text: 'yes' }] }
    })
    const sending = sendPrompt(server.url, 'stored-first-client', 'stored first?')
    await expect.poll(() => model.requests.some((request) => request.prompt === 'stored first?')).toBe(true)
    stored = spoken((await listSessions(server.url, 'stored-first-client'))[0])
    expect(stored).toEqual([['human', 'stored first?']])
    expect((await sending).status).toBe(200)
  })

  test('goes on after the last event that a reader has, without a gap or a repeat', async () => {
    const conversation = await begin('slow: cut line')
    conversation.leave()
    const last = conversation.first.at(-1)?.id ?? 0
    const rest = await allEvents(await follow(conversation.turn, conversation.cookie, { 'last-event-id': String(last) }))
    expect(rest.map(({ id }) => id)).toEqual(rest.map((_, index) => last + 1 + index))
    expect(textOfEvents([...conversation.first, ...rest])).toBe(wholeText)
  })

  test('shows the same to many readers, whenever they come', async () => {
    const conversation = await begin('slow: many readers')
    const readers = [follow(conversation.turn, conversation.cookie), follow(conversation.turn, conversation.cookie)]
    const texts = await Promise.all(readers.map(async (reader) => textOfEvents(await allEvents(await reader))))
    const own = textOfEvents([...conversation.first, ...(await Array.fromAsync(conversation.events))])
    const late = textOfEvents(await allEvents(await follow(conversation.turn, conversation.cookie)))
    expect([...texts, own, late]).toEqual(Array(4).fill(wholeText))
  })

  test('is replayed after its end into the message that is stored', async () => {
    const conversation = await begin('slow: replay')
    await Array.fromAsync(conversation.events)
    const builder = new MessageBuilder()
    for (const { chunk } of await allEvents(await follow(conversation.turn, conversation.cookie))) builder.apply(chunk)
    expect((await detailOf(conversation)).messages.at(-1)).toEqual(builder.message)
  })

  test('stops when told to: the model’s connection ends, and what was written is kept', async () => {
    const conversation = await begin('slow: stop')
    const request = model.requests.find((recorded) => recorded.prompt === 'slow: stop')
    const stopped = (await (await post(`/api/v1/turns/${conversation.turn}/stop`, conversation.cookie)).json()) as Turn
    expect(stopped).toMatchObject({ status: 'stopped', code: null })
    expect(await request?.ended).toBe(true)
    const rest = await Array.fromAsync(conversation.events)
    expect(rest.at(-1)?.chunk).toMatchObject({ type: 'abort' })
    const seen = textOfEvents([...conversation.first, ...rest])
    const detail = await detailOf(conversation)
    expect(spoken((await listSessions(server.url, 'me', { cookie: conversation.cookie }))[0]).at(-1)).toEqual(['agent', seen])
    expect(detail.messages.at(-1)?.metadata).toMatchObject({ status: 'stopped' })
    expect(JSON.stringify(detail.messages)).not.toContain('"streaming"')
    expect(wholeText.startsWith(seen)).toBe(true)
    const again = (await (await post(`/api/v1/turns/${conversation.turn}/stop`, conversation.cookie)).json()) as Turn
    expect(again).toEqual(stopped)
  })

  test('is one a session at a time', async () => {
    const conversation = await begin('slow: busy')
    const second = await sendPrompt(server.url, 'me', 'second', { session: conversation.session, headers: { cookie: conversation.cookie } })
    expect(second.status).toBe(409)
    expect((await second.json()) as Problem).toMatchObject({ code: 'session_busy', turn: conversation.turn })
    await post(`/api/v1/turns/${conversation.turn}/stop`, conversation.cookie)
    expect((await detailOf(conversation)).messages).toHaveLength(2)
  })

  test('takes only one of two prompts that are sent together', async () => {
    const { session_id: session } = (await (await sendPrompt(server.url, 'two-tabs', 'hello')).json()) as SendPromptReply
    const replies = await Promise.all(['slow: a', 'slow: b'].map((prompt) => sendPrompt(server.url, 'two-tabs', prompt, { session })))
    expect(replies.map((reply) => reply.status).sort((a, b) => a - b)).toEqual([200, 409])
    expect(spoken((await listSessions(server.url, 'two-tabs'))[0])).toHaveLength(4)
  })

  test('belongs to its visitor: nobody else can look, follow, stop or retry', async () => {
    const conversation = await begin('slow: private')
    const stranger = cookieOf(await sendPrompt(server.url, 'me', 'hello'))
    const path = `/api/v1/turns/${conversation.turn}`
    const tries = [
      call(path, stranger),
      follow(conversation.turn, stranger),
      post(`${path}/stop`, stranger),
      post(`${path}/retry`, stranger),
    ]
    expect((await Promise.all(tries)).map((response) => response.status)).toEqual([404, 404, 404, 404])
    expect((await detailOf(conversation)).runningTurn).toBe(conversation.turn)
    await post(`${path}/stop`, conversation.cookie)
  })

  describe('whose model fails', () => {
    const failures: [string, Script, string, number][] = [
      ['with an error', { status: 500 }, 'model_unavailable', 503],
      ['with too much to do', { status: 429, headers: { 'retry-after': '60' } }, 'model_busy', 503],
      ['in the middle', [{ text: 'Half an ' }, { cut: true }], 'model_failed', 502],
      ['with a page', { headers: { 'content-type': 'text/html' }, body: '<html>secret internals</html>' }, 'model_failed', 502],
    ]

    test.each(failures)('%s says so without internals, and keeps the prompt', async (name, script, code, status) => {
      const prompt = `fails ${name}`
      model.script((request) => (request.prompt === prompt ? script : undefined))
      const client = `client-of-a-model-that-fails-${name.replaceAll(' ', '-')}`
      const response = await sendPrompt(server.url, client, prompt)
      const body = await response.text()
      expect(response.status).toBe(status)
      expect(JSON.parse(body)).toMatchObject({ code, session_id: expect.stringMatching(/^\w{21}$/) })
      expect(body).not.toMatch(/secret|scripted|127\.0\.0\.1/i)
      expect(spoken((await listSessions(server.url, client))[0])[0]).toEqual(['human', prompt])
    })

    test('tells a page by the stream, and can be tried again for the same prompt', async () => {
      let fails = true
      model.script((request) => (request.prompt === 'fails once' && fails ? [{ text: 'Half an ' }, { cut: true }] : undefined))
      const conversation = await begin('fails once')
      const rest = await Array.fromAsync(conversation.events)
      expect(rest.slice(-2).map(({ chunk }) => chunk)).toMatchObject([
        { type: 'message-metadata', messageMetadata: { status: 'failed', code: 'model_failed' } },
        { type: 'error', errorText: expect.stringContaining('kept') },
      ])
      expect((await detailOf(conversation)).messages.at(-1)?.metadata).toMatchObject({ status: 'failed', code: 'model_failed' })

      fails = false
      const retried = (await (await post(`/api/v1/turns/${conversation.turn}/retry`, conversation.cookie)).json()) as Turn
      expect(retried).toMatchObject({ session: conversation.session, status: 'running' })
      const events = await allEvents(await follow(retried.id, conversation.cookie))
      expect(events.at(-1)?.chunk.type).toBe('finish')
      const messages = (await detailOf(conversation)).messages
      expect(messages.map((message) => [message.role, message.metadata?.status])).toEqual([
        ['user', undefined],
        ['assistant', 'done'],
      ])
      expect((await post(`/api/v1/turns/${retried.id}/retry`, conversation.cookie)).status).toBe(409)
      expect((await (await call(`/api/v1/turns/${conversation.turn}`, conversation.cookie)).json()) as Turn).toMatchObject({
        status: 'failed',
      })
    })
  })

  test('is interrupted, and said to be, when the process dies', async () => {
    const own = await startServer({ database, env: { OPENAI_BASE_URL: model.baseUrl, MODEL: 'scripted' } })
    try {
      const response = await streamPrompt(own.url, 'me', 'slow: crash')
      const { value: start } = await readEvents(response).next()
      const cookie = cookieOf(response)
      const turn = start?.chunk.type === 'start' ? start.chunk.messageMetadata?.turnId : undefined
      await own.restart('SIGKILL')
      expect(spoken((await listSessions(own.url, 'me', { cookie }))[0])).toEqual([['human', 'slow: crash']])
      // Until it has been found to be dead, its reader is asked to come back, and not told that there is nothing.
      const followed = await fetch(`${own.url}/api/v1/turns/${turn}/stream`, { headers: { cookie } })
      expect([followed.status, followed.headers.get('retry-after')]).toEqual([503, '5'])
    } finally {
      await own.stop()
    }
  })

  test('is given time to end when the server goes down, and its reader is told', async () => {
    const own = await startServer({ database, env: { OPENAI_BASE_URL: model.baseUrl, MODEL: 'scripted' } })
    const events = readEvents(await streamPrompt(own.url, 'during-a-restart', 'slow: going down'))
    await events.next()
    const [code, rest] = await Promise.all([own.kill('SIGTERM'), Array.fromAsync(events)])
    expect(code).toBe(0)
    expect(textOfEvents(rest)).toBe(wholeText)
    expect(rest.at(-1)?.chunk.type).toBe('finish')
    await own.restart()
    expect(spoken((await listSessions(own.url, 'during-a-restart'))[0]).at(-1)).toEqual(['agent', wholeText])
    await own.stop()
  })
})
