import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { allEvents, cookieOf, listSessions, sendPrompt, spoken, streamPrompt, textOfEvents } from '../support/api.ts'
import { DATABASES } from '../support/databases.ts'
import { type ScriptedModel, startScriptedModel } from '../support/scripted-model.ts'
import { refusedStart, startServer, type TestServer } from '../support/server.ts'

const FLAGGED = 'forbidden fruit'
const LONG = 'All of this is well and good. '.repeat(40)

/** An OpenAI-compatible moderation endpoint that flags one phrase or returns another status. */
let endpoint: Server
let status = 200
let asked: { authorization: string | undefined; body: { input: string; model?: string } }[] = []
beforeAll(async () => {
  endpoint = createServer((request, response) => {
    const answer = async () => {
      const body = JSON.parse(await text(request)) as { input: string }
      asked.push({ authorization: request.headers.authorization, body })
      const results = [{ flagged: body.input.includes(FLAGGED), categories: {}, category_scores: {} }]
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify({ id: 'modr-1', model: 'm', results }))
    }
    answer().catch(() => response.destroy())
  })
  await new Promise<void>((resolve) => endpoint.listen(0, '127.0.0.1', resolve))
})
afterAll(() => endpoint.close())

describe.each(DATABASES)('moderation on %s', (database) => {
  let server: TestServer
  let model: ScriptedModel
  let folder: string
  beforeAll(async () => {
    model = await startScriptedModel()
    folder = mkdtempSync(join(tmpdir(), 'parley-moderation-'))
    writeFileSync(join(folder, 'words.txt'), '# Not here\nblockhead\n')
    const { port } = endpoint.address() as AddressInfo
    server = await startServer({
      database,
      env: {
        OPENAI_BASE_URL: model.baseUrl,
        MODEL: 'scripted',
        MODERATION_URL: `http://127.0.0.1:${port}/v1/moderations`,
        MODERATION_API_KEY: 'key-of-moderation',
        MODERATION_MODEL: 'omni',
        MODERATION_WORDS: join(folder, 'words.txt'),
      },
    })
  })
  afterAll(async () => {
    await server.stop()
    await model.close()
    rmSync(folder, { recursive: true })
  })
  beforeEach(() => {
    status = 200
    asked = []
  })

  test.each([
    ['the endpoint flags', `A ${FLAGGED}`],
    ['the list has', 'You BLOCKHEAD'],
  ])('rejects a prompt that %s before the model is called; it counts and is not stored', async (_, prompt) => {
    const first = await sendPrompt(server.url, 'me', 'hi')
    const headers = { cookie: cookieOf(first) }
    const second = await sendPrompt(server.url, 'me', 'hi', { headers })
    const requests = model.requests.length
    const refused = await sendPrompt(server.url, 'me', prompt, { headers })
    expect([refused.status, ((await refused.json()) as { code: string }).code]).toEqual([422, 'prompt_blocked'])
    expect(model.requests).toHaveLength(requests)
    expect((await listSessions(server.url, 'me', headers)).map(spoken)).toHaveLength(2)
    const leftOf = (response: Response) => Number(/"day";r=(\d+)/.exec(response.headers.get('ratelimit') ?? '')?.[1])
    expect(leftOf(refused)).toBe(leftOf(second) - 1)
    expect(leftOf(await sendPrompt(server.url, 'me', 'hi', { headers }))).toBe(leftOf(second) - 2)
    // The endpoint receives the text and nothing about its author.
    expect(asked[0]).toEqual({ authorization: 'Bearer key-of-moderation', body: { input: 'hi', model: 'omni' } })
  })

  test('ends an answer before the blocked text, and keeps what came before it', async () => {
    model.script([{ text: `${LONG}Then came the ${FLAGGED} of it. ${LONG}` }])
    const response = await streamPrompt(server.url, 'me', 'Tell me')
    const headers = { cookie: cookieOf(response) }
    const events = await allEvents(response)
    expect(textOfEvents(events)).toMatch(/^All of this is well/)
    expect(LONG.startsWith(textOfEvents(events))).toBe(true)
    expect(JSON.stringify(events)).not.toContain('fruit')
    expect(JSON.stringify(events.slice(-2))).toMatch(/answer_blocked.*blocked_output/)
    const [session] = await listSessions(server.url, 'me', headers)
    expect(spoken(session)).toEqual([
      ['human', 'Tell me'],
      ['agent', textOfEvents(events)],
    ])
    // The chat can continue.
    expect((await sendPrompt(server.url, 'me', 'hi', { headers, session: session?.key ?? '' })).status).toBe(200)
  })

  test('passes an acceptable answer unchanged', async () => {
    model.script([{ text: LONG }])
    const response = await sendPrompt(server.url, 'me', 'Tell me more')
    expect(((await response.json()) as { response: string }).response).toBe(LONG)
    // Checked in windows, not per token.
    expect(asked.length).toBeLessThan(8)
  })

  test('blocks what cannot be checked, before and during an answer', async () => {
    model.script((request) => {
      if (request.prompt !== 'Go on') return undefined
      status = 500
      return [{ text: LONG }]
    })
    const events = await allEvents(await streamPrompt(server.url, 'me', 'Go on'))
    expect([textOfEvents(events), JSON.stringify(events.slice(-2)).includes('moderation_unavailable')]).toEqual(['', true])
    const refused = await sendPrompt(server.url, 'me', 'hi')
    expect([refused.status, ((await refused.json()) as { code: string }).code]).toEqual([503, 'moderation_unavailable'])
  })

  test('is disclosed to the visitor', async () => {
    const { host } = new URL(`http://127.0.0.1:${(endpoint.address() as AddressInfo).port}`)
    const notice = await (await fetch(`${server.url}/api/v1/privacy-notice`)).text()
    const data = await (await fetch(`${server.url}/api/v1/me/data`)).text()
    expect([notice, data].map((said) => said.includes(`are sent to`) && said.includes(host))).toEqual([true, true])
  })
})

test('an unusable word list is reported at startup', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'parley-words-'))
  writeFileSync(join(folder, 'words.txt'), '# nothing\n')
  const { output } = await refusedStart({ database: 'sqlite', env: { MODERATION_WORDS: join(folder, 'words.txt') } })
  expect(output).toContain('MODERATION_WORDS cannot be used: it has no word')
  rmSync(folder, { recursive: true })
})
