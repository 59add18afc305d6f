import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { SendPromptReply } from '../../src/contract/chat/chat.ts'
import { stopAnswering } from '../../src/server/commands/stop-answering.ts'
import { allEvents, cookieOf, sendPrompt, streamPrompt, textOfEvents } from '../support/api.ts'
import { DATABASES } from '../support/databases.ts'
import { type ScriptedModel, startScriptedModel } from '../support/scripted-model.ts'
import { startServer, type TestServer } from '../support/server.ts'

const EMERGENCY = 'my son drank drain cleaner what do i do'

describe.each(DATABASES)('an emergency, on %s', (database) => {
  const agents = mkdtempSync(join(tmpdir(), 'emergency-'))
  let model: ScriptedModel
  let server: TestServer

  beforeAll(async () => {
    const front = 'name: Anna\ngreeting: Hello.\npolicy:\n  countries: [AT]'
    writeFileSync(join(agents, 'assistant.md'), `---\n${front}\n---\nYou are Anna.\n`)
    model = await startScriptedModel()
    const env = {
      AGENTS_DIR: agents,
      OPENAI_BASE_URL: model.baseUrl,
      MODEL: 'm',
      PRICES: 'm=3/15',
      BUDGET_PER_DAY: '0.000001',
      LIMIT_PROMPTS_PER_DAY: '1',
      PERSONAL_DATA: 'refuse',
      // Nothing answers there, and without a verdict prompts are rejected.
      MODERATION_URL: 'http://127.0.0.1:9/',
    }
    server = await startServer({ database, env })
    const url = server.env['DATABASE_URL']
    const settings = url
      ? ({ kind: 'postgres', url, connections: 2, timeoutMs: 20_000 } as const)
      : ({ kind: 'sqlite', directory: server.dataDirectory } as const)
    expect((await stopAnswering(['--all', '--reason', 'a test'], settings, Date.now(), null)).exitCode).toBe(0)
  })
  afterAll(async () => {
    expect(await server.stop(), server.output()).toBe(0)
    await model.close()
    rmSync(agents, { recursive: true })
  })

  test('gets the numbers over quota and budget, while all is stopped, moderation is away and personal data is refused', async () => {
    const first = await sendPrompt(server.url, 'me', `${EMERGENCY}, call me on +43 664 1234567 or a@example.org`)
    const headers = { cookie: cookieOf(first) }
    expect((await first.json()) as SendPromptReply).toMatchObject({
      state: 'referred',
      response: expect.stringMatching(/call for medical help now[^]*\*\*144\*\*[^]*Poison centre: \*\*\+43 1 406 43 43\*\*/),
    })
    for (let index = 0; index < 3; index += 1) {
      const reply = (await (await sendPrompt(server.url, 'me', EMERGENCY, { headers })).json()) as SendPromptReply
      expect(reply.state).toBe('referred')
    }
    const streamed = await allEvents(await streamPrompt(server.url, 'me', 'Mein Kind hat Rohrreiniger getrunken', { headers }))
    expect(textOfEvents(streamed)).toContain('Giftnotruf')
    expect(model.requests).toHaveLength(0)
  })

  test('has numbers that the operator is asked to check at the start', async () => {
    await expect
      .poll(() => server.output())
      .toContain('Check the emergency numbers of AT, compiled on 2026-11-28: 112, 122, 144, 133, 142, +43 1 406 43 43')
  })

  test('is the only exception', async () => {
    const reply = (await (await sendPrompt(server.url, 'me', 'What is the time?')).json()) as { code?: string }
    expect(reply.code).toBe('budget_exhausted')
  })
})

describe('an emergency that no phrase names', () => {
  const agents = mkdtempSync(join(tmpdir(), 'declared-'))
  let model: ScriptedModel
  let server: TestServer

  beforeAll(async () => {
    writeFileSync(join(agents, 'assistant.md'), '---\nname: Anna\ngreeting: Hello.\n---\nYou are Anna.\n')
    model = await startScriptedModel()
    server = await startServer({ database: 'sqlite', env: { AGENTS_DIR: agents, OPENAI_BASE_URL: model.baseUrl, MODEL: 'm' } })
  })
  afterAll(async () => {
    expect(await server.stop(), server.output()).toBe(0)
    await model.close()
    rmSync(agents, { recursive: true })
  })

  test('is declared by the model, whose answer the reply replaces, in the language of the page where the prompt does not tell', async () => {
    model.script(() => [{ text: '<emergency kind="acute' }, { text: '_illness">Drink tea.' }])
    const headers = { 'accept-language': 'de' }
    const reply = (await (await sendPrompt(server.url, 'me', 'ash grey', { headers })).json()) as SendPromptReply
    expect(reply).toMatchObject({ state: 'referred', response: expect.stringMatching(/^Das klingt nach einem Notfall/) })
    expect(reply.response).not.toContain('tea')
    expect(JSON.stringify(model.requests.at(-1)?.body.messages)).toContain('<emergency kind=')
  })
})
