import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { cookieOf, sendPrompt, streamPrompt } from '../support/api.ts'
import { DATABASES } from '../support/databases.ts'
import { sampleSize } from '../support/sample-size.ts'
import { type ScriptedModel, startScriptedModel } from '../support/scripted-model.ts'
import { startServer, type TestServer } from '../support/server.ts'

const ROUNDS = sampleSize({ long: 15, short: 6 })

describe.each(DATABASES)('deleting everything on %s', (database) => {
  let model: ScriptedModel
  let server: TestServer
  beforeAll(async () => {
    model = await startScriptedModel()
    server = await startServer({ database, env: { OPENAI_BASE_URL: model.baseUrl, MODEL: 'scripted' } })
  })
  afterAll(async () => {
    await server.stop()
    await model.close()
  })

  const deleteAll = (cookie: string) => fetch(`${server.url}/api/v1/me`, { method: 'DELETE', headers: { cookie } })

  test('answers concurrent prompts or reports that the visitor is deleted, and keeps none of their data', async () => {
    const statuses = new Set<number>()
    for (let round = 0; round < ROUNDS; round += 1) {
      const first = await sendPrompt(server.url, 'me', 'first')
      const cookie = cookieOf(first)
      const { session_id: session } = (await first.json()) as { session_id: string }
      const racing = [
        ...Array.from({ length: 4 }, () => sendPrompt(server.url, 'me', 'racing', { headers: { cookie } })),
        sendPrompt(server.url, 'me', 'goes on', { headers: { cookie }, session }),
        streamPrompt(server.url, 'me', 'streamed', { headers: { cookie } }),
      ]
      const erased = deleteAll(cookie)
      const replies = await Promise.all(
        racing.map(async (reply) => {
          const response = await reply
          // A request after the deletion creates a new visitor and gets their cookie.
          const isNew = response.headers.getSetCookie().some((value) => value.startsWith('visitor=') && !value.startsWith(cookie))
          return {
            status: response.status, // A stream whose chat is deleted is cut off.
            text: await response.text().catch(() => ''),
            isNew,
          }
        }),
      )
      const done = await erased
      expect(done.status, `${await done.text()} ${server.output()}`).toBe(200)
      for (const { status } of replies) statuses.add(status)
      const left = replies.flatMap(({ text, isNew }) => (isNew ? [] : (/"session_id":"(\w{21})"/.exec(text)?.[1] ?? [])))
      const opened = await Promise.all(left.map(async (key) => (await fetch(`${server.url}/api/v1/sessions/${key}`)).status))
      expect(opened.filter((status) => status !== 404)).toEqual([])
      expect((await fetch(`${server.url}/api/v1/sessions/${session}`)).status).toBe(404)
    }
    expect([...statuses].filter((status) => ![200, 401, 404, 410].includes(status))).toEqual([])
    expect(server.output()).not.toMatch(/A request failed/)
  })
})
