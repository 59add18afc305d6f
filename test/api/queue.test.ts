import { DefaultChatTransport, readUIMessageStream, type UIMessage } from 'ai'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { withConstants } from '../../scripts/constants.mjs'
import { PROBLEMS } from '../../src/contract/errors.ts'
import type { SessionList } from '../../src/contract/chat/sessions.ts'
import { allEvents, cookieOf, readEvents, sendPrompt, streamPrompt, textOfEvents } from '../support/api.ts'
import { DATABASES } from '../support/databases.ts'
import { type ScriptedModel, startScriptedModel } from '../support/scripted-model.ts'
import { startServer, type TestServer } from '../support/server.ts'

const TOKEN = 'mR7-tq2-Lw9-pX4-zB8'
const SHOWN = { prefer: 'queue-position' }

describe.each(DATABASES)('a queue for one slot on %s', (database) => {
  let model: ScriptedModel
  let server: TestServer
  beforeAll(async () => {
    model = await startScriptedModel()
    const env = { MAX_RUNNING_TURNS: '1', ...withConstants({ waitingPrompts: 3, maxWaitMs: 10_000 }), METRICS_TOKEN: TOKEN }
    server = await startServer({ database, env: { OPENAI_BASE_URL: model.baseUrl, MODEL: 'scripted', ...env } })
  })
  afterAll(async () => {
    await server.stop()
    await model.close()
  })

  /** Occupies the only slot; `end` ends that answer and waits for it. */
  async function takePlace(url = server.url): Promise<{ end: () => Promise<void> }> {
    const ended = Promise.withResolvers<void>()
    model.script([{ text: 'Long' }, { until: ended.promise }])
    const events = readEvents(await streamPrompt(url, 'me', 'the running one'))
    await events.next()
    return {
      async end() {
        ended.resolve()
        await Array.fromAsync(events)
      },
    }
  }

  const metric = async (line: string) => {
    const metrics = await (await fetch(`${server.url}/metrics`, { headers: { authorization: `Bearer ${TOKEN}` } })).text()
    return Number(
      metrics
        .split('\n')
        .find((each) => each.startsWith(`${line} `))
        ?.split(' ')[1] ?? 0,
    )
  }
  const waiting = async (count: number) => {
    await expect.poll(() => metric('parley_waiting_prompts')).toBe(count)
  }
  const sessionsOf = async (cookie: string) =>
    ((await (await fetch(`${server.url}/api/v1/sessions`, { headers: { cookie } })).json()) as SessionList).sessions
  const asked = () => model.requests.map(({ prompt }) => prompt)

  test('delays clients that did not ask for their position, and answers in order of arrival', async () => {
    const running = await takePlace()
    const first = sendPrompt(server.url, 'me', 'first')
    await waiting(1)
    const second = streamPrompt(server.url, 'me', 'second')
    await waiting(2)
    await running.end()
    expect((await first).status).toBe(200)
    expect(textOfEvents(await allEvents(await second))).toMatch(/^Hello/)
    expect(asked().slice(-2)).toEqual(['first', 'second'])
  })

  test('reports the queue position before the answer begins, and gives a new visitor their chat', async () => {
    const running = await takePlace()
    const first = sendPrompt(server.url, 'me', 'before')
    await waiting(1)
    const second = await streamPrompt(server.url, 'me', 'in sight', { headers: SHOWN })
    expect(await sessionsOf(cookieOf(second))).toEqual([])
    await running.end()
    const events = await allEvents(second)
    const [place, ...rest] = events
    expect(place).toEqual({ id: null, chunk: { type: 'data-queue-position', data: expect.any(Number), transient: true } })
    expect(rest.find(({ chunk }) => chunk.type !== 'data-queue-position')).toMatchObject({ id: 1, chunk: { type: 'start' } })
    expect((await sessionsOf(cookieOf(second))).map(({ title }) => title)).toEqual(['in sight'])
    expect((await first).status).toBe(200)
  })

  test('counts a waiting new visitor once, and rejects one over the limit before the wait', async () => {
    const env = { MAX_RUNNING_TURNS: '1', LIMIT_ALL_NEW_VISITORS_PER_HOUR: '2' }
    const own = await startServer({ database, env: { OPENAI_BASE_URL: model.baseUrl, MODEL: 'scripted', ...env } })
    onTestFinished(() => own.stop().then(() => undefined))
    const running = await takePlace(own.url)
    const second = await streamPrompt(own.url, 'me', 'the second visitor', { headers: SHOWN })
    const third = await sendPrompt(own.url, 'me', 'the third visitor')
    expect([third.status, await third.json()]).toMatchObject([429, { code: 'too_many_visitors' }])
    await running.end()
    expect(textOfEvents(await allEvents(second))).toMatch(/^Hello/)
    expect((await sendPrompt(own.url, 'me', 'one of the two', { headers: { cookie: cookieOf(second) } })).status).toBe(200)
  })

  test('sends no position to a client that asks for it and does not have to wait', async () => {
    const events = await allEvents(await streamPrompt(server.url, 'me', 'at once', { headers: SHOWN }))
    expect(events[0]).toMatchObject({ id: 1, chunk: { type: 'start' } })
  })

  test('works with an unmodified AI SDK client', async () => {
    const running = await takePlace()
    const transport = new DefaultChatTransport<UIMessage>({
      api: `${server.url}/api/v1/agent/chat/me`,
      headers: { accept: 'text/event-stream', ...SHOWN },
      prepareSendMessagesRequest: () => ({ body: { prompt: 'by the SDK' } }),
    })
    const messages: UIMessage[] = [{ id: '1', role: 'user', parts: [{ type: 'text', text: 'by the SDK' }] }]
    const call = { trigger: 'submit-message', chatId: 'c', messageId: undefined, messages, abortSignal: undefined } as const
    const stream = await transport.sendMessages(call)
    await running.end()
    const answer = (await Array.fromAsync(readUIMessageStream({ stream }))).at(-1)
    expect(answer?.parts.map(({ type }) => type)).toEqual(['step-start', 'text'])
  })

  test('drops a prompt whose sender has disconnected: it is not stored, counted or answered', async () => {
    const running = await takePlace()
    const known = cookieOf(await streamPrompt(server.url, 'me', 'somebody', { headers: SHOWN }))
    const leaving = new AbortController()
    const gone = sendPrompt(server.url, 'me', 'of one who left', { headers: { cookie: known }, signal: leaving.signal })
    const ended = gone.catch((error: Error) => error.name)
    await waiting(2)
    leaving.abort()
    expect(await ended).toBe('AbortError')
    await waiting(1)
    await running.end()
    await expect.poll(() => asked().at(-1)).toBe('somebody')
    expect(asked()).not.toContain('of one who left')
    expect((await sessionsOf(known)).map(({ title }) => title)).toEqual(['somebody'])
  })

  test('rejects a prompt after the maximum wait or when the queue is full, stores nothing, and sends a retry time', async () => {
    const running = await takePlace()
    const late = sendPrompt(server.url, 'me', 'late')
    const shown = await streamPrompt(server.url, 'me', 'late in sight', { headers: SHOWN })
    const third = sendPrompt(server.url, 'me', 'late too')
    await waiting(3)
    const full = await sendPrompt(server.url, 'me', 'no room')
    expect([full.status, await full.json()]).toMatchObject([503, { code: 'server_busy' }])
    for (const response of [await late, await third]) {
      expect([response.status, await response.json()]).toMatchObject([503, { code: 'server_busy' }])
      expect(Number(response.headers.get('retry-after'))).toBeGreaterThanOrEqual(5)
    }
    const chunks = (await allEvents(shown)).map(({ chunk }) => chunk).filter(({ type }) => type !== 'data-queue-position')
    expect(chunks).toEqual([
      { type: 'data-rejection', data: { code: 'server_busy', retryAfterS: expect.any(Number) }, transient: true },
      { type: 'error', errorText: PROBLEMS.server_busy.title },
    ])
    expect(await sessionsOf(cookieOf(shown))).toEqual([])
    expect(await metric('parley_rejections_total{code="server_busy"}')).toBe(4)
    expect(await metric('parley_queue_seconds_count{end="late"}')).toBe(3)
    expect(await metric('parley_queue_seconds_count{end="full"}')).toBe(1)
    await running.end()
    expect(asked().some((prompt) => /late|no room/.test(prompt))).toBe(false)
  })

  test('reports a rejection within a stream as in any other reply', async () => {
    const { session_id: session } = (await (await sendPrompt(server.url, 'an-id-that-is-strong-enough-1', 'hello')).json()) as {
      session_id: string
    }
    const ended = Promise.withResolvers<void>()
    model.script([{ text: 'Long' }, { until: ended.promise }])
    const options = { session, headers: { ...SHOWN, 'idempotency-key': 'the-key-of-two-prompts' } }
    const running = readEvents(await streamPrompt(server.url, 'an-id-that-is-strong-enough-1', 'one', options))
    await running.next()
    const reused = await streamPrompt(server.url, 'an-id-that-is-strong-enough-1', 'other words', options)
    ended.resolve()
    expect(await allEvents(reused)).toContainEqual({
      id: null,
      chunk: { type: 'data-rejection', data: { code: 'idempotency_key_reused' }, transient: true },
    })
    await Array.fromAsync(running)
  })

  test('rejects all waiting prompts at shutdown', async () => {
    const running = await takePlace()
    const response = sendPrompt(server.url, 'me', 'too late for this one')
    await waiting(1)
    const down = server.kill('SIGTERM')
    expect(await (await response).json()).toMatchObject({ code: 'shutting_down' })
    await running.end()
    expect(await down).toBe(0)
  })
})
