import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { withConstants } from '../../scripts/constants.mjs'
import type { SendPromptReply } from '../../src/contract/chat/chat.ts'
import { type DataReport, ErasureReply } from '../../src/contract/rights.ts'
import type { SessionDetail } from '../../src/contract/chat/sessions.ts'
import { cookieOf, sendPrompt } from '../support/api.ts'
import { DATABASES } from '../support/databases.ts'
import { eventually } from '../support/eventually.ts'
import { type RecordedRequest, type ScriptedModel, startScriptedModel } from '../support/scripted-model.ts'
import { startServer, type TestServer } from '../support/server.ts'

const SUMMARY = 'They are called Ada and build a boat.'
/** A prompt and its answer add some 140 tokens; the limit is 500. */
const ANSWER = 'word '.repeat(130)
const isSummary = ({ body }: RecordedRequest) => JSON.stringify(body.messages[0]).includes('memory of a conversation')

describe.each(DATABASES)('a long chat, on %s', (database) => {
  let model: ScriptedModel
  let server: TestServer
  beforeAll(async () => {
    model = await startScriptedModel({ fallback: [{ text: ANSWER }] })
    model.script((request) => {
      if (isSummary(request)) return JSON.stringify(request.body).includes('I am Bob') ? { status: 400 } : [{ text: SUMMARY }]
      return undefined
    })
    const env = { OPENAI_BASE_URL: model.baseUrl, MODEL: 'scripted', ...withConstants({ historyTokens: 500 }) }
    server = await startServer({ database, env })
  })
  afterAll(async () => {
    const code = await server.stop()
    await model.close()
    expect(code, server.output()).toBe(0)
  })

  /** A new visitor's chat with this many prompts. */
  async function chat(prompts: number, first = 'I am Ada') {
    const reply = await sendPrompt(server.url, 'me', first)
    const cookie = cookieOf(reply)
    const { session_id: session } = (await reply.json()) as SendPromptReply
    for (let count = 2; count <= prompts; count += 1)
      expect((await sendPrompt(server.url, 'me', `prompt ${count}`, { session, headers: { cookie } })).status).toBe(200)
    return { cookie, session }
  }

  const countSummaries = async (cookie: string) => {
    const report = (await (await fetch(`${server.url}/api/v1/me/data`, { headers: { cookie } })).json()) as DataReport
    return report.stored.find(({ kind }) => kind === 'summaries')?.count ?? 0
  }

  test('summarizes each part once; the model reads the summary of the selected version in place of what it covers; deleting removes it', async () => {
    const before = model.requests.length
    const { cookie, session } = await chat(4)
    await eventually(async () => expect(await countSummaries(cookie)).toBe(1))
    await sendPrompt(server.url, 'me', 'And now?', { session, headers: { cookie } })
    const asked = model.requests.slice(before)
    const summing = asked.filter((request) => isSummary(request) && JSON.stringify(request.body).includes('I am Ada'))
    expect(summing).toHaveLength(1)
    expect(summing[0]?.body.tools).toBeUndefined()
    const last = JSON.stringify(asked.findLast(({ prompt }) => prompt.endsWith('And now?'))?.body.messages)
    expect(last).toContain(SUMMARY)
    expect(last).not.toContain('I am Ada')
    const { messages } = (await (await fetch(`${server.url}/api/v1/sessions/${session}`, { headers: { cookie } })).json()) as SessionDetail
    const post = (path: string, body: object) =>
      fetch(server.url + path, { method: 'POST', headers: { cookie, 'content-type': 'application/json' }, body: JSON.stringify(body) })
    const sentFor = (prompt: string) => JSON.stringify(model.requests.findLast((request) => request.prompt.endsWith(prompt))?.body.messages)
    await post(`/api/v1/agent/chat/me?session_id=${session}`, { prompt: 'I am Carl', edits: messages[0]?.id })
    expect(sentFor('I am Carl')).not.toContain(SUMMARY)
    await post(`/api/v1/sessions/${session}/branch`, { message: messages[0]?.id })
    await sendPrompt(server.url, 'me', 'Where were we?', { session, headers: { cookie } })
    expect(sentFor('Where were we?')).toContain(SUMMARY)
    expect(sentFor('Where were we?')).not.toContain('Carl')
    const { receipt } = ErasureReply.parse(
      await (await fetch(`${server.url}/api/v1/sessions/${session}`, { method: 'DELETE', headers: { cookie } })).json(),
    )
    expect(receipt.deleted['chats']).toBe(1)
    expect(receipt.deleted['summaries']).toBeGreaterThan(0)
  })

  test('continues without a summary if summarizing fails, dropping the oldest messages', async () => {
    const { session, cookie } = await chat(6, 'I am Bob')
    await eventually(() =>
      expect(model.requests.filter(isSummary).some(({ body }) => JSON.stringify(body).includes('I am Bob'))).toBe(true),
    )
    const reply = await sendPrompt(server.url, 'me', 'And now?', { session, headers: { cookie } })
    expect(reply.status).toBe(200)
    expect(JSON.stringify(model.requests.at(-1)?.body)).not.toContain('I am Bob')
    expect(await countSummaries(cookie)).toBe(0)
  })
})
