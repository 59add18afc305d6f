import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import OpenAI, { APIError } from 'openai'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { CreatedToken } from '../../src/contract/staff/tokens.ts'
import { eventually } from '../support/eventually.ts'
import { type ScriptedModel, startScriptedModel } from '../support/scripted-model.ts'
import { startServer, type TestServer } from '../support/server.ts'
import { consoleOf, StaffClient, WITH_CONSOLE } from '../support/staff-client.ts'

const PAGE = `<html><head><title>Opening hours</title><link rel="canonical" href="https://town.example/opening"></head>
<body><main><h1>Opening hours</h1><p>The town hall is open from eight to six.</p></main></body></html>`
const QUESTION = 'When is the town hall open?'
const CITED = { type: 'url_citation', start_index: 18, end_index: 21, url: 'https://town.example/opening', title: 'Opening hours' }

type Own = { parley: { state: string; ai_generated: boolean; fixed_reply?: string } }

const directory = mkdtempSync(join(tmpdir(), 'parley-responses-'))
let model: ScriptedModel
let server: TestServer
let client: OpenAI
let owner: StaffClient
let token: (caps?: object) => Promise<string>
beforeAll(async () => {
  for (const folder of ['knowledge/town', 'agents']) mkdirSync(join(directory, folder), { recursive: true })
  writeFileSync(join(directory, 'knowledge/town/opening.html'), PAGE)
  writeFileSync(join(directory, 'agents/assistant.md'), '---\nname: Town hall\ngreeting: Hello.\nknowledge: [town]\n---\nAnswer briefly.\n')
  model = await startScriptedModel()
  const folders = { AGENTS_DIR: join(directory, 'agents'), KNOWLEDGE_DIR: join(directory, 'knowledge') }
  const env = {
    ...WITH_CONSOLE,
    ...folders,
    OPENAI_BASE_URL: model.baseUrl,
    MODEL: 'scripted',
    PRICES: 'scripted=1/1',
    BUDGET_PER_DAY: '100',
  }
  server = await startServer({ database: 'sqlite', env })
  const { origin, link } = await consoleOf(server)
  owner = new StaffClient(origin)
  await owner.enter(link)
  await eventually(async () => expect((await owner.call('GET', 'status')).body).toMatchObject({ indexing: null }))
  token = async (caps) =>
    (await owner.call<CreatedToken>('POST', 'tokens', { name: 'n8n', scopes: ['answer'], agents: ['assistant'], ...(caps && { caps }) }))
      .body.token
  client = clientWith(await token())
})
beforeEach(() => model.clear())
afterAll(async () => {
  await server.stop()
  await model.close()
  rmSync(directory, { recursive: true })
})

const clientWith = (apiKey: string) => new OpenAI({ apiKey, baseURL: `${server.url}/v1`, maxRetries: 0 })
const errorOf = async (asked: Promise<unknown>) => {
  const error = await asked.catch((cause: unknown) => cause)
  if (!(error instanceof APIError)) throw new Error(`No error of the API: ${String(error)}`)
  return error
}

test('answers from the knowledge, with citations, state, usage and the mark of an AI system', async () => {
  model.script([{ text: 'From eight to six [1].' }])
  const response = (await client.responses.create({ model: 'assistant', input: QUESTION })) as OpenAI.Responses.Response & Own
  expect([response.status, response.output_text]).toEqual(['completed', 'From eight to six [1].'])
  expect(response.output).toMatchObject([{ type: 'message', role: 'assistant', content: [{ annotations: [CITED] }] }])
  expect(response.usage?.total_tokens).toBeGreaterThan(0)
  expect(response.parley).toMatchObject({ ai_generated: true, state: 'answered' })
})

test('streams the same, in the order that the package’s own helper puts together', async () => {
  model.script([{ text: 'From eight to six [1].' }])
  const stream = client.responses.stream({ model: 'assistant', input: QUESTION })
  const types: string[] = []
  let text = ''
  for await (const event of stream) {
    if (event.type !== types.at(-1)) types.push(event.type)
    if (event.type === 'response.output_text.delta') text += event.delta
  }
  const { output_text, output, status } = await stream.finalResponse()
  expect([text, output_text, status]).toEqual(['From eight to six [1].', 'From eight to six [1].', 'completed'])
  expect(output).toMatchObject([{ content: [{ annotations: [CITED] }] }])
  expect(types.map((type) => type.replace('response.', '')).join(' ')).toBe(
    'created in_progress output_item.added content_part.added output_text.delta output_text.annotation.added output_text.done content_part.done output_item.done completed',
  )
})

test('takes the history from the input, ignores instructions, and refuses what is no chat', async () => {
  await client.responses.create({
    model: 'assistant',
    instructions: 'iNstructions-canary',
    input: [
      { role: 'developer', content: 'dEveloper-canary' },
      { role: 'user', content: [{ type: 'input_text', text: 'My name is Ada.' }] },
      {
        type: 'message',
        role: 'assistant',
        status: 'completed',
        id: 'msg_1',
        content: [{ type: 'output_text', text: 'Hello Ada.', annotations: [] }],
      },
      { role: 'user', content: 'And then?' },
    ],
    temperature: 2,
    store: true,
  })
  const asked = JSON.stringify(model.requests.at(-1)?.body.messages)
  expect(asked).toMatch(/My name is Ada\..*Hello Ada.*And then\?/)
  expect(asked).not.toContain('canary')
  const refused: [object, string][] = [
    [{ previous_response_id: 'resp_1' }, 'previous_response_id'],
    [{ conversation: 'conv_1' }, 'conversation'],
    [{ background: true }, 'background'],
    [{ text: { format: { type: 'json_object' } } }, 'text.format.type'],
    [{ tool_choice: 'required' }, 'tool_choice'],
    [{ input: ' ' }, 'input.0.content'],
    [{ input: [{ role: 'user', content: [{ type: 'input_image', image_url: 'https://town.example/a.png' }] }] }, 'input.0.content'],
    [{ input: [{ role: 'assistant', content: 'a' }] }, 'input'],
    [
      {
        input: [
          { role: 'user', content: 'a' },
          { type: 'function_call_output', call_id: 'x', output: 'b' },
        ],
      },
      'input',
    ],
  ]
  for (const [change, param] of refused) {
    const error = await errorOf(client.responses.create({ model: 'assistant', input: 'Hello', ...change }))
    expect([error.status, error.type, error.param], JSON.stringify(change)).toEqual([400, 'invalid_request_error', param])
  }
})

test('has the policy and the caps of the other form, and its errors', async () => {
  const few = clientWith(await token({ promptsPerMinute: 1 }))
  await few.responses.create({ model: 'assistant', input: 'Hello' })
  expect(await errorOf(few.responses.create({ model: 'assistant', input: 'Hello' }))).toMatchObject({
    status: 429,
    code: 'too_many_prompts',
  })
  const urgent = (await few.responses.create({ model: 'assistant', input: 'I want to kill myself' })) as OpenAI.Responses.Response & Own
  expect(urgent.parley.fixed_reply).toBe('emergency')
  expect(await errorOf(clientWith('parley_wrong').responses.create({ model: 'assistant', input: 'Hello' }))).toMatchObject({ status: 401 })
  expect(await errorOf(client.responses.create({ model: 'other', input: 'Hello' }))).toMatchObject({ status: 404, code: 'not_found' })
  expect(await errorOf(client.responses.retrieve('resp_1'))).toMatchObject({ status: 404 })
  model.script([{ text: 'The beginning' }, { cut: true }])
  const events = await Array.fromAsync(await client.responses.create({ model: 'assistant', input: 'Hello', stream: true }))
  expect(events.at(-1)).toMatchObject({ type: 'response.failed', response: { status: 'failed', error: { code: 'model_interrupted' } } })
})

test('a used up budget has its own code in both forms', async () => {
  expect((await owner.call('POST', 'budgets/moneyPerDay', { value: 0, replaces: 100 })).status).toBe(200)
  const asked = () => client.responses.create({ model: 'assistant', input: 'Hello' })
  await eventually(async () => expect(await errorOf(asked())).toMatchObject({ status: 503, code: 'budget_exhausted' }))
  const messages = [{ role: 'user' as const, content: 'Hello' }]
  const error = await errorOf(client.chat.completions.create({ model: 'assistant', messages }))
  expect(error).toMatchObject({ status: 503, code: 'budget_exhausted', type: 'server_error' })
})
