import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { allEvents, cookieOf, sendPrompt, streamPrompt } from '../support/api.ts'
import { DATABASES } from '../support/databases.ts'
import { eventually } from '../support/eventually.ts'
import { type ScriptedModel, startScriptedModel } from '../support/scripted-model.ts'
import { startServer, type TestServer } from '../support/server.ts'
import { type FollowedSessions, followSessions } from '../support/session-events.ts'

describe.each(DATABASES)('on %s', (database) => {
  let model: ScriptedModel
  let server: TestServer
  const followed: FollowedSessions[] = []
  beforeAll(async () => {
    model = await startScriptedModel()
    server = await startServer({ database, env: { OPENAI_BASE_URL: model.baseUrl, MODEL: 'scripted' } })
  })
  afterEach(() => {
    for (const one of followed.splice(0)) one.leave()
  })
  afterAll(async () => {
    await server.stop()
    await model.close()
  })

  /** A visitor with one session, with its events followed. */
  async function visitor(prompt: string) {
    const response = await sendPrompt(server.url, 'me', prompt)
    const headers = { cookie: cookieOf(response) }
    const { session_id: key } = (await response.json()) as { session_id: string }
    const stream = await follow(headers)
    return { headers, key, stream }
  }

  async function follow(headers: Record<string, string>): Promise<FollowedSessions> {
    const stream = await followSessions(server.url, headers)
    followed.push(stream)
    await eventually(() => expect(stream.events).toEqual([{ type: 'resync', data: {} }]))
    return stream
  }

  test('reports the start and end of a turn to every tab', async () => {
    const { headers, key, stream } = await visitor('first')
    const other = await follow(headers)
    const seen = Promise.withResolvers<void>()
    model.script([{ text: 'one' }, { until: seen.promise }, { text: ' two three' }])
    const answer = await streamPrompt(server.url, 'me', 'second', { session: key, headers })
    for (const tab of [stream, other])
      await eventually(() =>
        expect(tab.newest(key)).toMatchObject({ type: 'session', data: { runningTurn: expect.stringMatching(/^t_/) } }),
      )
    seen.resolve()
    await allEvents(answer)
    for (const tab of [stream, other])
      await eventually(() => expect(tab.newest(key)).toMatchObject({ data: { key, title: 'first', runningTurn: null } }))
  })

  test('reports a new session to its visitor only', async () => {
    const { headers, stream } = await visitor('mine')
    const stranger = await visitor('not mine')
    const response = await sendPrompt(server.url, 'me', 'another of mine', { headers })
    const { session_id: made } = (await response.json()) as { session_id: string }
    await eventually(() => expect(stream.newest(made)).toMatchObject({ type: 'session', data: { title: 'another of mine' } }))
    await sendPrompt(server.url, 'me', 'another of theirs', { headers: stranger.headers })
    await eventually(() => expect(stranger.stream.events.length).toBeGreaterThan(1))
    expect(JSON.stringify(stream.events)).not.toContain('theirs')
    expect(JSON.stringify(stranger.stream.events)).not.toContain('of mine')
  })

  test('rejects a caller that is not a visitor yet, with its own code', async () => {
    const stream = await followSessions(server.url, {})
    followed.push(stream)
    expect(stream.status).toBe(204)
  })

  test('rejects an unknown credential', async () => {
    const stream = await followSessions(server.url, { authorization: `Bearer ${'x'.repeat(43)}` })
    followed.push(stream)
    expect(stream.status).toBe(401)
  })
})
