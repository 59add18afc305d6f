import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { withConstants } from '../../scripts/constants.mjs'
import type { SessionList } from '../../src/contract/chat/sessions.ts'
import { allEvents, cookieOf, readEvents, sendPrompt, streamPrompt, textOfEvents } from '../support/api.ts'
import { DATABASES } from '../support/databases.ts'
import { type ScriptedModel, startScriptedModel } from '../support/scripted-model.ts'
import { startServer, type TestServer } from '../support/server.ts'

const TOKEN = 'mR7-tq2-Lw9-pX4-zB8'

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

  test('delays prompts, and answers in order of arrival', async () => {
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

  test('drops a prompt whose sender has disconnected: it is not stored, counted or answered', async () => {
    const known = cookieOf(await sendPrompt(server.url, 'me', 'somebody'))
    const running = await takePlace()
    const leaving = new AbortController()
    const gone = sendPrompt(server.url, 'me', 'of one who left', { headers: { cookie: known }, signal: leaving.signal })
    const ended = gone.catch((error: Error) => error.name)
    await waiting(1)
    leaving.abort()
    expect(await ended).toBe('AbortError')
    await waiting(0)
    await running.end()
    expect(asked()).not.toContain('of one who left')
    expect((await sessionsOf(known)).map(({ title }) => title)).toEqual(['somebody'])
  })

  test('rejects a prompt after the maximum wait or when the queue is full, stores nothing, and sends a retry time', async () => {
    const running = await takePlace()
    const late = sendPrompt(server.url, 'me', 'late')
    const streamed = streamPrompt(server.url, 'me', 'late in a stream')
    const third = sendPrompt(server.url, 'me', 'late too')
    await waiting(3)
    const full = await sendPrompt(server.url, 'me', 'no room')
    expect([full.status, await full.json()]).toMatchObject([503, { code: 'server_busy' }])
    for (const response of await Promise.all([late, streamed, third])) {
      expect([response.status, await response.json()]).toMatchObject([503, { code: 'server_busy' }])
      expect(Number(response.headers.get('retry-after'))).toBeGreaterThanOrEqual(5)
    }
    expect(await metric('parley_rejections_total{code="server_busy"}')).toBe(4)
    expect(await metric('parley_queue_seconds_count{end="late"}')).toBe(3)
    expect(await metric('parley_queue_seconds_count{end="full"}')).toBe(1)
    await running.end()
    expect(asked().some((prompt) => /late|no room/.test(prompt))).toBe(false)
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
