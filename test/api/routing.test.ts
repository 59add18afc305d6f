import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import type { SendPromptReply } from '../../src/contract/chat/chat.ts'
import { allEvents, sendPrompt, streamPrompt, textOfEvents } from '../support/api.ts'
import { type RecordedRequest, type Script, type ScriptedModel, startScriptedModel } from '../support/scripted-model.ts'
import { startServer, type TestServer } from '../support/server.ts'
import { storedRows } from '../faults/kit/stored-rows.ts'

const POLICY = `policy:
  routing: model
  notFor: [legal advice]
  routes:
    - id: lost-property
      reply: Room 3 keeps lost property.
      examples: [I lost my wallet on the bus]`
/** Matches no example by its words. */
const PROMPT = 'Somebody must have picked up the umbrella that I forgot in tram 4'

const isForVerdict = ({ body }: RecordedRequest) => JSON.stringify(body.messages).includes('You sort the messages')
const verdictOf = (verdict: string): Script => [{ text: `{"verdict": "${verdict}"}` }]

describe('prompts that a model routes', () => {
  const agents = mkdtempSync(join(tmpdir(), 'routing-'))
  let model: ScriptedModel
  let server: TestServer

  beforeAll(async () => {
    writeFileSync(join(agents, 'assistant.md'), `---\nname: Anna\ngreeting: Hello.\n${POLICY}\n---\nYou are Anna.\n`)
    model = await startScriptedModel()
    const env = {
      AGENTS_DIR: agents,
      OPENAI_BASE_URL: model.baseUrl,
      MODEL: 'm',
      PRICES: 'm=1/1',
      BUDGET_PER_DAY: '1000',
    }
    server = await startServer({ database: 'sqlite', env })
  })
  afterEach(() => model.clear())
  afterAll(async () => {
    expect(await server.stop(), server.output()).toBe(0)
    await model.close()
    rmSync(agents, { recursive: true })
  })

  const ask = async (prompt: string) => (await (await sendPrompt(server.url, 'me', prompt)).json()) as SendPromptReply
  const spent = async () => {
    const [row] = await storedRows<{ spent: string | number }>(server, "SELECT spent FROM budgets WHERE account LIKE 'money:day:%'")
    return Number(row?.spent ?? 0)
  }

  test('get the reply of the verdict, and nothing of an answer that has begun', async () => {
    const verdict = Promise.withResolvers<void>()
    const held: Script = [{ until: verdict.promise }, { text: '{"verdict": "lost-property"}' }]
    model.script((request) => (isForVerdict(request) ? held : [{ text: 'The forbidden ' }, { silence: true }]))
    const before = model.requests.length
    const streaming = streamPrompt(server.url, 'me', PROMPT)
    // Both calls start together.
    await expect.poll(() => model.requests.length).toBe(before + 2)
    verdict.resolve()
    const events = await allEvents(await streaming)
    expect(textOfEvents(events)).toBe('Room 3 keeps lost property.')
    expect(JSON.stringify(events)).not.toContain('forbidden')
    const answer = model.requests.slice(before).find((request) => !isForVerdict(request))
    expect(await answer?.ended).toBe(true)
  })

  test('are answered if no verdict replaces the answer', async () => {
    model.script((request) => (isForVerdict(request) ? verdictOf('none') : [{ text: 'In the depot.' }]))
    expect(await ask(PROMPT)).toMatchObject({ response: 'In the depot.', state: 'answered_without_source' })
  })

  test.each<[string, Script]>([
    ['the call fails', { status: 500 }],
    ['the verdict makes no sense', [{ text: 'I think it is lost property.' }]],
    ['the connection breaks', [{ text: '{"verd' }, { cut: true }]],
  ])('are answered if %s', async (_, script) => {
    model.script((request) => (isForVerdict(request) ? script : [{ text: 'In the depot.' }]))
    expect(await ask(PROMPT)).toMatchObject({ response: 'In the depot.' })
  })

  test('an emergency that no rule knows gets its numbers', async () => {
    model.script((request) => (isForVerdict(request) ? verdictOf('emergency_acute_illness') : [{ text: 'Drink tea.' }]))
    expect(await ask('grandpa went the colour of ash')).toMatchObject({ state: 'referred', response: expect.stringContaining('112') })
  })

  test('examples decide without a call', async () => {
    const before = model.requests.length
    expect(await ask('I lost my wallet on the bus')).toMatchObject({ response: 'Room 3 keeps lost property.' })
    expect(model.requests).toHaveLength(before)
  })

  test('pay for the verdict from the budget', async () => {
    const costOf = async (verdict: string) => {
      model.clear()
      model.script((request) => (isForVerdict(request) ? [{ text: verdict }] : [{ text: 'In the depot.' }]))
      const before = await spent()
      await ask(PROMPT)
      return (await spent()) - before
    }
    const short = await costOf('{"verdict": "none"}')
    expect(short).toBeGreaterThan(0)
    expect(await costOf(`{"verdict": "none"} ${'because '.repeat(60)}`)).toBeGreaterThan(short)
  })
})
