import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { withConstants } from '../../scripts/constants.mjs'
import type { SendPromptReply } from '../../src/contract/chat/chat.ts'
import type { SessionDetail } from '../../src/contract/chat/sessions.ts'
import { cookieOf, sendPrompt } from '../support/api.ts'
import { DATABASES } from '../support/databases.ts'
import { type ScriptedModel, startScriptedModel } from '../support/scripted-model.ts'
import { startServer, type TestServer } from '../support/server.ts'

/** A prompt and its answer add some 140 tokens; the limit is 500. */
const ANSWER = 'word '.repeat(130)

describe.each(DATABASES)('a long chat, on %s', (database) => {
  let model: ScriptedModel
  let server: TestServer
  beforeAll(async () => {
    model = await startScriptedModel({ fallback: [{ text: ANSWER }] })
    const env = { OPENAI_BASE_URL: model.baseUrl, MODEL: 'scripted', ...withConstants({ historyTokens: 500 }) }
    server = await startServer({ database, env })
  })
  afterAll(async () => {
    const code = await server.stop()
    await model.close()
    expect(code, server.output()).toBe(0)
  })

  test('costs one request a prompt, which has its newest messages and those of no other version', async () => {
    const reply = await sendPrompt(server.url, 'me', 'I am Ada')
    const headers = { cookie: cookieOf(reply) }
    const { session_id: session } = (await reply.json()) as SendPromptReply
    const send = (prompt: string) => sendPrompt(server.url, 'me', prompt, { session, headers })
    for (let count = 2; count <= 6; count += 1) expect((await send(`prompt ${count}`)).status).toBe(200)
    expect(model.requests).toHaveLength(6)
    const sent = () => JSON.stringify(model.requests.at(-1)?.body.messages)
    expect(sent()).toContain('prompt 5')
    expect(sent()).not.toContain('I am Ada')
    const { messages } = (await (await fetch(`${server.url}/api/v1/sessions/${session}`, { headers })).json()) as SessionDetail
    const edited = await fetch(`${server.url}/api/v1/agent/chat/me?session_id=${session}`, {
      method: 'POST',
      headers: { ...headers, 'content-type': 'application/json' },
      body: JSON.stringify({ prompt: 'I am Carl', edits: messages.at(-2)?.id }),
    })
    expect(edited.status).toBe(200)
    expect(sent()).toContain('prompt 5')
    expect(sent()).not.toContain('prompt 6')
  })
})
