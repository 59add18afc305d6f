import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { SendPromptReply } from '../../src/contract/chat/chat.ts'
import type { ChatMessage } from '../../src/contract/chat/message.ts'
import { textOf } from '../../src/contract/chat/message-text.ts'
import { MessageBuilder } from '../../src/contract/chat/message-builder.ts'
import type { Problem } from '../../src/contract/problem.ts'
import type { SessionDetail, Turn, TurnEvents } from '../../src/contract/chat/sessions.ts'
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
import { FIRST_REPLAYED_SEQ } from '../../src/server/turns/log/follow.ts'
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
    model.script((request) => (request.prompt.startsWith('half') ? [{ text: WORDS.slice(0, 20) }, { silence: true }] : undefined))
    server = await startServer({ database, env: { OPENAI_BASE_URL: model.baseUrl, MODEL: 'scripted' } })
  })
  afterAll(async () => {
    const code = await server.stop()
    await model.close()
    // A crashed process has no clean exit.
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

  test('continues when its reader disconnects, and is complete on return', async () => {
    const left = Promise.withResolvers<void>()
    const written = [{ text: WORDS.slice(0, 20) }, { until: left.promise }, { text: WORDS.slice(20) }]
    model.script(({ prompt }) => (prompt === 'closed page' ? written : undefined))
    const conversation = await begin('closed page')
    conversation.leave()
    expect((await detailOf(conversation)).runningTurn).toBe(conversation.turn)
    left.resolve()
    const events = await allEvents(await follow(conversation.turn, conversation.cookie))
    expect(textOfEvents(events)).toBe(wholeText)
    expect(events.at(-1)?.chunk.type).toBe('finish')
    const detail = await detailOf(conversation)
    expect(detail.runningTurn).toBeNull()
    expect(detail.messages.at(-1)?.metadata).toMatchObject({ status: 'done', turnId: conversation.turn })
  })

  test('stores the prompt before the model is called', async () => {
    const read = Promise.withResolvers<void>()
    model.script((request) => (request.prompt === 'stored first?' ? [{ until: read.promise }, { text: 'yes' }] : undefined))
    const sending = sendPrompt(server.url, 'stored-first-client', 'stored first?')
    await expect.poll(() => model.requests.some((request) => request.prompt === 'stored first?')).toBe(true)
    const stored = spoken((await listSessions(server.url, 'stored-first-client'))[0])
    read.resolve()
    expect(stored).toEqual([['human', 'stored first?']])
    expect((await sending).status).toBe(200)
  })

  test('resumes after the reader’s last event, without a gap or a repeat', async () => {
    const conversation = await begin('slow: cut line')
    conversation.leave()
    const last = conversation.first.at(-1)?.id ?? 0
    const rest = await allEvents(await follow(conversation.turn, conversation.cookie, { 'last-event-id': String(last) }))
    expect(rest.map(({ id }) => id)).toEqual(rest.map((_, index) => last + 1 + index))
    expect(textOfEvents([...conversation.first, ...rest])).toBe(wholeText)
  })

  test('shows many readers the same, whenever they connect', async () => {
    const conversation = await begin('slow: many readers')
    const readers = [follow(conversation.turn, conversation.cookie), follow(conversation.turn, conversation.cookie)]
    const texts = await Promise.all(readers.map(async (reader) => textOfEvents(await allEvents(await reader))))
    const own = textOfEvents([...conversation.first, ...(await Array.fromAsync(conversation.events))])
    const late = textOfEvents(await allEvents(await follow(conversation.turn, conversation.cookie)))
    expect([...texts, own, late]).toEqual(Array(4).fill(wholeText))
  })

  test('is replayed after its end as the stored message', async () => {
    const conversation = await begin('slow: replay')
    await Array.fromAsync(conversation.events)
    const builder = new MessageBuilder()
    for (const { chunk } of await allEvents(await follow(conversation.turn, conversation.cookie))) builder.apply(chunk)
    expect((await detailOf(conversation)).messages.at(-1)).toEqual(builder.message)
  })

  test('stops on request: the model’s connection is closed, and what was written is kept', async () => {
    const conversation = await begin('half: stop')
    const request = model.requests.find((recorded) => recorded.prompt === 'half: stop')
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

  test('marks an answer that the model cut off as incomplete, and continues it', async () => {
    model.script((request) => (request.prompt === 'at length' ? [{ text: 'Once upon ' }, { finish: 'length' }] : undefined))
    model.script((request) => (request.prompt.startsWith('Your answer broke off') ? [{ text: 'a time.' }] : undefined))
    const conversation = await begin('at length')
    const end = (await Array.fromAsync(conversation.events)).at(-1)?.chunk
    const isCut = { status: 'done', code: 'answer_too_long' }
    expect(end).toMatchObject({ type: 'finish', finishReason: 'length', messageMetadata: isCut })
    expect((await detailOf(conversation)).messages.at(-1)?.metadata).toMatchObject(isCut)
    const { id } = (await (await post(`/api/v1/turns/${conversation.turn}/continue`, conversation.cookie)).json()) as Turn
    await allEvents(await follow(id, conversation.cookie))
    const answers = (await detailOf(conversation)).messages.slice(1)
    expect(answers.map((answer) => [textOf(answer), answer.metadata?.code])).toEqual([
      ['Once upon ', 'answer_too_long'],
      ['a time.', undefined],
    ])
    expect((await post(`/api/v1/turns/${id}/continue`, conversation.cookie)).status).toBe(409)
    const plain = await sendPrompt(server.url, 'cut-client', 'at length')
    expect([plain.status, ((await plain.json()) as SendPromptReply).response]).toEqual([200, 'Once upon '])
  })

  test('runs one at a time in a session', async () => {
    const conversation = await begin('half: busy')
    const second = await sendPrompt(server.url, 'me', 'second', { session: conversation.session, headers: { cookie: conversation.cookie } })
    expect(second.status).toBe(409)
    expect((await second.json()) as Problem).toMatchObject({ code: 'session_busy', turn: conversation.turn })
    await post(`/api/v1/turns/${conversation.turn}/stop`, conversation.cookie)
    expect((await detailOf(conversation)).messages).toHaveLength(2)
  })

  test('accepts only one of two concurrent prompts', async () => {
    const { session_id: session } = (await (await sendPrompt(server.url, 'two-tabs', 'hello')).json()) as SendPromptReply
    const oneIsRejected = Promise.withResolvers<void>()
    model.script(({ prompt }) => (prompt.startsWith('tab') ? [{ until: oneIsRejected.promise }, { text: 'Done' }] : undefined))
    const sending = ['tab a', 'tab b'].map((prompt) => sendPrompt(server.url, 'two-tabs', prompt, { session }))
    expect((await Promise.race(sending)).status).toBe(409)
    oneIsRejected.resolve()
    const replies = await Promise.all(sending)
    expect(replies.map((reply) => reply.status).sort((a, b) => a - b)).toEqual([200, 409])
    expect(spoken((await listSessions(server.url, 'two-tabs'))[0])).toHaveLength(4)
  })

  test('can be read, followed, stopped and retried only by its visitor', async () => {
    model.script(({ prompt }) => (prompt === 'held: private' ? [{ text: 'Half' }, { silence: true }] : undefined))
    const conversation = await begin('held: private')
    const stranger = cookieOf(await sendPrompt(server.url, 'me', 'hello'))
    const path = `/api/v1/turns/${conversation.turn}`
    const tries = [
      call(path, stranger),
      follow(conversation.turn, stranger),
      post(`${path}/stop`, stranger),
      post(`${path}/retry`, stranger),
      post(`${path}/continue`, stranger),
      call(`${path}/events`, stranger),
    ]
    expect((await Promise.all(tries)).map((response) => response.status)).toEqual(tries.map(() => 404))
    expect((await detailOf(conversation)).runningTurn).toBe(conversation.turn)
    await post(`${path}/stop`, conversation.cookie)
  })

  describe('whose model fails', () => {
    const failures: [string, Script, string, number][] = [
      ['with an error', { status: 500 }, 'model_unavailable', 503],
      ['with too much to do', { status: 429, headers: { 'retry-after': '60' } }, 'model_busy', 503],
      ['in the middle', [{ text: 'Half an ' }, { cut: true }], 'model_interrupted', 502],
      ['with a page', { headers: { 'content-type': 'text/html' }, body: '<html>secret internals</html>' }, 'model_failed', 502],
    ]

    test.each(failures)('%s reports this without internals, and keeps the prompt', async (name, script, code, status) => {
      const prompt = `fails ${name}`
      model.script((request) => (request.prompt === prompt ? script : undefined))
      const client = `client-of-a-model-that-fails-${name.replaceAll(' ', '-')}`
      const response = await sendPrompt(server.url, client, prompt)
      const body = await response.text()
      expect(response.status).toBe(status)
      expect(JSON.parse(body)).toMatchObject({ code })
      expect(response.headers.get('content-location')).toMatch(/^\/api\/v1\/sessions\/\w{21}$/)
      expect(body).not.toMatch(/secret|scripted|127\.0\.0\.1/i)
      expect(spoken((await listSessions(server.url, client))[0])[0]).toEqual(['human', prompt])
    })

    test('and sends Retry-After is called once, and the time is passed on', async () => {
      model.script((request) => (request.prompt === 'busy for a minute' ? { status: 429, headers: { 'retry-after': '60' } } : undefined))
      const response = await sendPrompt(server.url, 'client-of-a-busy-model', 'busy for a minute')
      expect([response.status, response.headers.get('retry-after')]).toEqual([503, '60'])
      expect(model.requests.filter((request) => request.prompt === 'busy for a minute')).toHaveLength(1)
    })

    test('reports it in the stream, and can be retried for the same prompt', async () => {
      let fails = true
      model.script((request) => (request.prompt === 'fails once' && fails ? [{ text: 'Half an ' }, { cut: true }] : undefined))
      const conversation = await begin('fails once')
      const rest = await Array.fromAsync(conversation.events)
      expect(rest.slice(-2).map(({ chunk }) => chunk)).toMatchObject([
        { type: 'message-metadata', messageMetadata: { status: 'interrupted', code: 'model_interrupted' } },
        { type: 'error', errorText: expect.stringContaining('saved') },
      ])
      expect((await detailOf(conversation)).messages.at(-1)?.metadata).toMatchObject({ status: 'interrupted', code: 'model_interrupted' })

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
        status: 'interrupted',
      })
    })
  })

  test('is interrupted by the next start after its process dies, keeps all that was shown, and can be continued', async () => {
    const response = await streamPrompt(server.url, 'me', 'half: crash')
    const cookie = cookieOf(response)
    const seen: StreamEvent[] = []
    for await (const event of readEvents(response)) {
      seen.push(event)
      if (textOfEvents(seen).length > 60) break
    }
    const start = seen[0]?.chunk
    const { turnId: turn, sessionId: session } = (start?.type === 'start' && start.messageMetadata) || {}
    await server.restart('SIGKILL')
    const detailNow = async () =>
      (await (await fetch(`${server.url}/api/v1/sessions/${session}`, { headers: { cookie } })).json()) as SessionDetail
    // At the start, sooner than a sweep of stale turns (30 s).
    await expect.poll(async () => (await detailNow()).runningTurn, { timeout: 25_000 }).toBeNull()
    const answer = (await detailNow()).messages.at(-1)
    expect(answer?.metadata).toMatchObject({ turnId: turn, status: 'interrupted' })
    const stored = textOf(answer as ChatMessage)
    expect(stored.startsWith(textOfEvents(seen))).toBe(true)
    expect(wholeText.startsWith(stored)).toBe(true)
    const replayed = await allEvents(await fetch(`${server.url}/api/v1/turns/${turn}/stream`, { headers: { cookie } }))
    expect(textOfEvents(replayed)).toBe(stored)

    model.script((request) => (request.prompt.startsWith('Your answer broke off') ? [{ text: wholeText.slice(stored.length) }] : undefined))
    const headers = { cookie, 'content-type': 'application/json' }
    const continued = await fetch(`${server.url}/api/v1/turns/${turn}/continue`, { method: 'POST', headers, body: '{}' })
    const next = (await continued.json()) as Turn
    await allEvents(await fetch(`${server.url}/api/v1/turns/${next.id}/stream`, { headers: { cookie } }))
    const messages = (await detailNow()).messages
    expect(messages.map((message) => [message.role, message.metadata?.status])).toEqual([
      ['user', undefined],
      ['assistant', 'interrupted'],
      ['assistant', 'done'],
    ])
    expect(messages.slice(1).map(textOf).join('')).toBe(wholeText)
    const tooLate = await fetch(`${server.url}/api/v1/turns/${turn}/continue`, { method: 'POST', headers, body: '{}' })
    expect([tooLate.status, ((await tooLate.json()) as Problem).code]).toEqual([409, 'not_retryable'])
  })

  test('can be polled where streams are cut off: live, from any event, and after its end', async () => {
    const conversation = await begin('slow: polled')
    conversation.leave()
    const builder = new MessageBuilder()
    const seqs: number[] = []
    let after = 0
    let status = 'running'
    for (let reply: TurnEvents | undefined; status === 'running' || reply?.events.length; status = reply.status) {
      const response = await call(`/api/v1/turns/${conversation.turn}/events?after=${after}&wait=5`, conversation.cookie)
      reply = (await response.json()) as TurnEvents
      for (const { seq, chunk } of reply.events) {
        builder.apply(chunk)
        seqs.push(seq)
        after = seq
      }
      if (reply.events.some(({ chunk }) => chunk.type === 'finish')) break
    }
    // An end between two polls is replayed with all earlier events, numbered separately.
    const live = seqs.filter((seq) => seq < FIRST_REPLAYED_SEQ)
    expect(live).toEqual(live.map((_, index) => index + 1))
    expect(textOf(builder.message)).toBe(wholeText)
    const late = await call(`/api/v1/turns/${conversation.turn}/events?wait=0`, conversation.cookie)
    const { events, status: end } = (await late.json()) as TurnEvents
    expect(end).toBe('done')
    expect(events.map(({ chunk }) => (chunk.type === 'text-delta' ? chunk.delta : '')).join('')).toBe(wholeText)
    const rest = await call(`/api/v1/turns/${conversation.turn}/events?after=${events.at(-2)?.seq}`, conversation.cookie)
    expect(((await rest.json()) as TurnEvents).events).toEqual(events.slice(-1))
  })

  test('answers a poll at once, with nothing, if it is not to wait', async () => {
    const conversation = await begin('half: poll without waiting')
    const poll = await call(`/api/v1/turns/${conversation.turn}/events?after=999&wait=0`, conversation.cookie)
    expect(await poll.json()).toEqual({ events: [], status: 'running' })
    await post(`/api/v1/turns/${conversation.turn}/stop`, conversation.cookie)
  })

  test.each(['after=x', 'after=-1', 'wait=21', 'wait=', 'other=1', 'after=99999999999'])('rejects a poll with %s', async (query) => {
    const poll = await fetch(`${server.url}/api/v1/turns/t_${'a'.repeat(21)}/events?${query}`)
    expect([poll.status, ((await poll.json()) as Problem).code]).toEqual([400, 'invalid_request'])
  })

  test('is unaffected by a reader that stops reading, which gets everything when it continues', async () => {
    const text = Array.from({ length: 400 }, (_, index) => `${index}`.padStart(500, 'x'))
    model.script((request) =>
      request.prompt === 'a long answer' ? [{ text: text.slice(0, 1) }, { pauseMs: 300 }, { text: text.slice(1) }] : undefined,
    )
    const conversation = await begin('a long answer')
    const lazy = await follow(conversation.turn, conversation.cookie)
    const other = await allEvents(await follow(conversation.turn, conversation.cookie))
    expect(textOfEvents(other)).toBe(text.join(''))
    const builder = new MessageBuilder()
    for (const { chunk } of await allEvents(lazy)) builder.apply(chunk)
    expect(textOf(builder.message)).toBe(text.join(''))
  })

  test('gets time to end at shutdown, and its reader is notified', async () => {
    const events = readEvents(await streamPrompt(server.url, 'during-a-restart', 'slow: going down'))
    await events.next()
    const [code, rest] = await Promise.all([server.kill('SIGTERM'), Array.fromAsync(events)])
    expect(code).toBe(0)
    expect(textOfEvents(rest)).toBe(wholeText)
    expect(rest.at(-1)?.chunk.type).toBe('finish')
    await server.restart()
    expect(spoken((await listSessions(server.url, 'during-a-restart'))[0]).at(-1)).toEqual(['agent', wholeText])
  })
})
