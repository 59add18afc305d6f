import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import OpenAI, { APIError } from 'openai'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { CreatedToken } from '../../src/contract/staff/tokens.ts'
import { DATABASES } from '../support/databases.ts'
import { eventually } from '../support/eventually.ts'
import {
  followUpsRequest,
  pictureRequest,
  promptRequest,
  queriesRequest,
  retrievalRequest,
  tagsRequest,
  titleRequest,
} from '../support/open-webui-requests.ts'
import { runSnippet } from '../support/documented-programs.ts'
import { runOperatorCommand } from '../support/operator-command.ts'
import { type ScriptedModel, startScriptedModel } from '../support/scripted-model.ts'
import { startServer, type TestServer } from '../support/server.ts'
import { storedRows } from '../faults/kit/stored-rows.ts'
import { consoleOf, StaffClient, WITH_CONSOLE } from '../support/staff-client.ts'

const ASSISTANT = `---
name: Town hall
greeting: Hello.
knowledge: [town, approved]
personalData: { card: refuse, iban: mask, email: ask }
policy:
  routes:
    - id: lost
      reply: { en: "Room 3 keeps lost property." }
      examples: [I lost my wallet]
---
Answer briefly.
`
const OPENING = `<html><head><title>Opening hours</title><link rel="canonical" href="https://town.example/opening"></head>
<body><main><h1>Opening hours</h1><p>The town hall is open from eight to six.</p></main></body></html>`
const APPROVED = `---
question: How much is the dog tax?
languages: [en]
owner: Treasury
source: { title: Dog tax statute, url: "https://town.example/dog-tax" }
validFrom: 2026-01-01
validUntil: 2100-12-31
---
Dog tax is 96 euros a year.
`
const QUESTION = 'When is the town hall open?'
const CARD = '4111 1111 1111 1111'

type Own = { parley: { state: string; ai_generated: boolean; sources: { number: number; file: string }[]; fixed_reply?: string } }

describe.each(DATABASES)('the OpenAI-compatible endpoint on %s', (database) => {
  const directory = mkdtempSync(join(tmpdir(), 'parley-openai-'))
  let model: ScriptedModel
  let server: TestServer
  let owner: StaffClient
  let client: OpenAI
  /** Status of a request before there is a token of the scope. */
  let statusWithout: number
  beforeAll(async () => {
    mkdirSync(join(directory, 'knowledge/town'), { recursive: true })
    mkdirSync(join(directory, 'knowledge/approved'))
    mkdirSync(join(directory, 'agents'))
    writeFileSync(join(directory, 'knowledge/town/opening.html'), OPENING)
    writeFileSync(join(directory, 'knowledge/approved/dog-tax.md'), APPROVED)
    writeFileSync(join(directory, 'agents/assistant.md'), ASSISTANT)
    writeFileSync(join(directory, 'agents/other.md'), '---\nname: Other\ngreeting: Hello.\n---\nAnswer.\n')
    writeFileSync(join(directory, 'words.txt'), 'blockhead\n')
    model = await startScriptedModel()
    server = await startServer({
      database,
      env: {
        ...WITH_CONSOLE,
        LOG_LEVEL: 'debug',
        AGENTS_DIR: join(directory, 'agents'),
        KNOWLEDGE_DIR: join(directory, 'knowledge'),
        MODERATION_WORDS: join(directory, 'words.txt'),
        OPENAI_BASE_URL: model.baseUrl,
        MODEL: 'scripted',
        PRICES: 'scripted=1/1',
        BUDGET_PER_DAY: '1000',
      },
    })
    const { origin, link } = await consoleOf(server)
    owner = new StaffClient(origin)
    await owner.enter(link)
    await eventually(async () => expect((await owner.call('GET', 'status')).body).toMatchObject({ indexing: null }))
    await tokenWith({ scopes: ['read:figures'], agents: [] })
    statusWithout = await statusWith({})
    client = clientWith(await tokenWith())
  })
  beforeEach(() => model.clear())
  afterAll(async () => {
    expect(await server.stop(), server.output()).toBe(0)
    await model.close()
    rmSync(directory, { recursive: true })
  })

  const statusWith = async (headers: Record<string, string>) => (await fetch(`${server.url}/v1/models`, { headers })).status
  const tokenWith = async (change: object = {}) => {
    const wanted = { name: 'Open WebUI', scopes: ['answer'], agents: ['assistant'], ...change }
    return (await owner.call<CreatedToken>('POST', 'tokens', wanted)).body.token
  }
  const clientWith = (apiKey: string) => new OpenAI({ apiKey, baseURL: `${server.url}/v1`, maxRetries: 0 })
  const ask = (content: string, by = client) =>
    by.chat.completions.create({ model: 'assistant', messages: [{ role: 'user', content }] }).then((reply) => reply as typeof reply & Own)
  const errorOf = async (asked: Promise<unknown>) => {
    const error = await asked.then(
      () => undefined,
      (cause: unknown) => cause,
    )
    if (!(error instanceof APIError)) throw new Error(`No error of the API: ${String(error)}`)
    return error
  }
  const post = (body: object, headers: Record<string, string> = {}) =>
    fetch(`${server.url}/v1/chat/completions`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${client.apiKey}`, ...headers },
      body: JSON.stringify(body),
    })
  const lastAsked = () => JSON.stringify(model.requests.at(-1)?.body.messages)

  test('does not exist without a token of the scope, and then for no other token and no browser', async () => {
    expect(statusWithout).toBe(404)
    const authorization = `Bearer ${client.apiKey}`
    expect(await statusWith({ authorization })).toBe(200)
    for (const token of ['parley_', `parley_${'a'.repeat(43)}`, await tokenWith({ scopes: ['read:figures'], agents: [] })])
      expect(await statusWith({ authorization: `Bearer ${token}` })).toBe(401)
    expect([
      await statusWith({ authorization, 'sec-fetch-site': 'none' }),
      await statusWith({ authorization, origin: server.url }),
    ]).toEqual([403, 403])
    const error = await errorOf(clientWith('parley_wrong').models.list())
    expect(error).toMatchObject({ status: 401, code: 'unauthorized', type: 'authentication_error' })
  })

  test('lists the agents of the token as models', async () => {
    expect((await client.models.list()).data).toMatchObject([{ id: 'assistant', object: 'model', name: 'Town hall' }])
    expect(await client.models.retrieve('assistant')).toMatchObject({ id: 'assistant' })
    expect(await errorOf(client.models.retrieve('other'))).toMatchObject({ status: 404, code: 'not_found' })
    const asked = client.chat.completions.create({ model: 'other', messages: [{ role: 'user', content: 'Hello' }] })
    expect(await errorOf(asked)).toMatchObject({ status: 404, message: expect.stringContaining('GET /v1/models') })
  })

  test('answers from the knowledge, with citations, state, usage and the mark of an AI system', async () => {
    model.script([{ text: 'From eight to six 🕕 [1].' }])
    const { data, response } = await client.chat.completions
      .create({ model: 'assistant', messages: [{ role: 'user', content: QUESTION }] })
      .withResponse()
    const { choices, usage, parley } = data as typeof data & Own
    expect(response.headers.get('x-ai-generated')).toBe('true')
    expect(choices).toMatchObject([
      { index: 0, finish_reason: 'stop', message: { role: 'assistant', content: 'From eight to six 🕕 [1].' } },
    ])
    const [annotation] = choices[0]?.message.annotations ?? []
    expect(annotation).toEqual({
      type: 'url_citation',
      url_citation: { start_index: 20, end_index: 23, url: 'https://town.example/opening', title: 'Opening hours' },
    })
    expect(parley).toMatchObject({ ai_generated: true, state: 'answered', sources: [{ number: 1, file: 'town/opening.html' }] })
    expect(usage?.total_tokens).toBe((usage?.prompt_tokens ?? 0) + (usage?.completion_tokens ?? 0))
    expect(usage?.completion_tokens).toBeGreaterThan(0)
  })

  test('streams the same', async () => {
    model.script([{ text: 'From eight to six [1].' }])
    const stream = await client.chat.completions.create({
      model: 'assistant',
      stream: true,
      stream_options: { include_usage: true },
      messages: [{ role: 'user', content: QUESTION }],
    })
    const chunks = await Array.fromAsync(stream)
    expect(chunks.map(({ choices }) => choices[0]?.delta.content ?? '').join('')).toBe('From eight to six [1].')
    expect(chunks.at(-2)).toMatchObject({
      choices: [{ finish_reason: 'stop', delta: { annotations: [{ url_citation: { url: 'https://town.example/opening' } }] } }],
      parley: { ai_generated: true, state: 'answered' },
    })
    expect(chunks.at(-1)).toMatchObject({ choices: [], usage: { total_tokens: expect.any(Number) } })
  })

  test('takes the history from the client, ignores its instructions and refuses its tools', async () => {
    const messages: OpenAI.ChatCompletionMessageParam[] = [
      { role: 'system', content: 'sYsTem-canary' },
      { role: 'developer', content: 'dEveloper-canary' },
      { role: 'user', content: [{ type: 'text', text: 'My name is Ada.' }] },
      { role: 'assistant', content: 'Hello Ada, see [1].' },
      { role: 'user', content: 'And then?' },
    ]
    await client.chat.completions.create({ model: 'assistant', messages, temperature: 2, tools: [], tool_choice: 'auto' })
    expect(lastAsked()).toMatch(/My name is Ada\..*Hello Ada.*And then\?/)
    expect(lastAsked()).not.toContain('canary')
    const refused: [object, string][] = [
      [
        {
          messages: [
            { role: 'user', content: 'a' },
            { role: 'tool', tool_call_id: 'x', content: 'b' },
          ],
        },
        'messages.1',
      ],
      [
        {
          messages: [
            { role: 'assistant', content: null, tool_calls: [{}] },
            { role: 'user', content: 'a' },
          ],
        },
        'messages.0',
      ],
      [{ messages: pictureRequest('assistant').messages }, 'messages.0.content'],
      [{ messages: [{ role: 'assistant', content: 'a' }] }, 'messages'],
      [{ messages: [{ role: 'user', content: ' ' }] }, 'messages.0.content'],
      [{ messages: [{ role: 'user', content: 'a' }], n: 2 }, 'n'],
      [{ messages: [{ role: 'user', content: 'a' }], tool_choice: 'required' }, 'tool_choice'],
      [{ messages: [{ role: 'user', content: 'a' }], response_format: { type: 'json_object' } }, 'response_format.type'],
      [{ messages: [] }, 'messages'],
    ]
    for (const [change, param] of refused) {
      const response = await post({ model: 'assistant', ...change })
      const { error } = (await response.json()) as { error: { param: string; type: string } }
      expect([response.status, error.type, error.param]).toEqual([400, 'invalid_request_error', param])
    }
    const broken = await fetch(`${server.url}/v1/chat/completions`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${client.apiKey}` },
      body: '{',
    })
    expect(await broken.json()).toMatchObject({ error: { code: 'invalid_json', type: 'invalid_request_error' } })
  })

  test('has the policy of every other prompt', async () => {
    const requests = model.requests.length
    const emergency = await ask('I want to kill myself')
    expect(emergency.parley).toMatchObject({ state: 'referred', fixed_reply: 'emergency' })
    expect((await ask('How much is the dog tax?')).choices[0]?.message).toMatchObject({
      content: expect.stringContaining('96 euros'),
      annotations: [{ url_citation: { url: 'https://town.example/dog-tax' } }],
    })
    expect((await ask('I lost my wallet')).choices[0]?.message.content).toBe('Room 3 keeps lost property.')
    expect(await errorOf(ask(`My card is ${CARD}`))).toMatchObject({ status: 422, code: 'personal_data' })
    expect(await errorOf(ask('You blockhead'))).toMatchObject({ status: 422, code: 'prompt_blocked' })
    expect(model.requests).toHaveLength(requests)
    await ask('My account is DE89 3704 0044 0532 0130 00')
    expect(lastAsked()).toContain('[iban 1]')
    const earlier = [
      { role: 'assistant', content: 'Is it DE89 3704 0044 0532 0130 00?' },
      { role: 'user', content: 'Yes, and ada@example.org' },
    ]
    const response = await post({ model: 'assistant', messages: earlier })
    expect([response.status, response.headers.get('x-personal-data')]).toEqual([200, 'email'])
    expect(lastAsked()).not.toContain('DE89')
  })

  test('gives the reply of a stop, and ends what is being written', async () => {
    const stop = (...args: string[]) => runOperatorCommand(server.env, ['stop-answering', ...args, '--reason', 'wrong'])
    model.script([{ text: 'Parking is ' }, { endless: 'free ', tokensPerSecond: 20 }])
    const messages = [{ role: 'user' as const, content: 'Is parking free?' }]
    const stream = await client.chat.completions.create({ model: 'assistant', stream: true, messages })
    const chunks = stream[Symbol.asyncIterator]()
    for (let seen = ''; !seen.includes('free'); ) seen += (await chunks.next()).value?.choices[0]?.delta.content ?? ''
    expect((await stop('--topic', 'parking')).code).toBe(0)
    const rest = (async () => {
      while (!(await chunks.next()).done);
    })()
    expect(await errorOf(rest)).toMatchObject({ code: 'suspended' })
    expect(await model.requests.at(-1)?.ended).toBe(true)
    expect((await ask('Is parking free?')).parley).toMatchObject({ state: 'suspended', fixed_reply: 'stop' })
    const id = /^([0-9a-f]{8}) {2}/m.exec((await runOperatorCommand(server.env, ['stop-answering', '--list'])).output)?.[1] ?? ''
    await runOperatorCommand(server.env, ['stop-answering', '--resume', id])
  })

  test('stops the model when the client leaves', async () => {
    for (const stream of [true, false]) {
      model.script([{ endless: 'word ', tokensPerSecond: 20 }])
      const requests = model.requests.length
      const leaving = new AbortController()
      const messages = [{ role: 'user' as const, content: 'Go on' }]
      const asked = client.chat.completions.create({ model: 'assistant', stream, messages }, { signal: leaving.signal })
      const read = asked.then(async (reply) => void ('controller' in reply && (await Array.fromAsync(reply)))).catch(() => undefined)
      await eventually(() => expect(model.requests.length).toBeGreaterThan(requests))
      leaving.abort()
      expect(await model.requests.at(-1)?.ended).toBe(true)
      await read
    }
  })

  test('a failure of the model is an error with its own code', async () => {
    model.script({ status: 500 })
    model.script({ status: 500 })
    model.script({ status: 500 })
    expect(await errorOf(ask('Hello'))).toMatchObject({ status: 503, code: 'model_unavailable', type: 'server_error' })
    model.script([{ text: 'The beginning' }, { cut: true }])
    const stream = await client.chat.completions.create({ model: 'assistant', stream: true, messages: [{ role: 'user', content: 'Hi' }] })
    expect(await errorOf(Array.fromAsync(stream))).toMatchObject({ code: 'model_interrupted' })
  })

  test('each token has its own caps, which say when to come back', async () => {
    const few = clientWith(await tokenWith({ caps: { promptsPerMinute: 1 } }))
    await ask('Hello', few)
    const error = await errorOf(ask('Hello', few))
    expect(error).toMatchObject({ status: 429, code: 'too_many_prompts', type: 'rate_limit_error' })
    expect(Number(error.headers?.get('retry-after'))).toBeGreaterThan(0)
    expect((await ask('I want to kill myself', few)).parley.fixed_reply).toBe('emergency')
    const daily = clientWith(await tokenWith({ caps: { promptsPerDay: 1 } }))
    await ask('Hello', daily)
    const used = await errorOf(ask('Hello', daily))
    expect([used.status, used.code, used.headers?.get('x-should-retry')]).toEqual([429, 'daily_prompts_used', 'false'])
    const poor = clientWith(await tokenWith({ caps: { tokensPerDay: 1 } }))
    expect(await errorOf(ask('Hello', poor))).toMatchObject({ status: 429, code: 'daily_tokens_used' })
    expect((await ask('How much is the dog tax?', poor)).parley.state).toBe('answered')
  })

  test('answers what Open WebUI sends, and labels its chats by the model alone', async () => {
    const title = '{"title": "Opening hours", "note": "left out"}'
    model.script((request) => (request.prompt.startsWith('### Task:\nGenerate a concise title') ? [{ text: `Here: ${title}` }] : undefined))
    const few = clientWith(await tokenWith({ caps: { promptsPerMinute: 1 } }))
    const send = async (body: object) => {
      const response = await post(body, { authorization: `Bearer ${few.apiKey}` })
      return { status: response.status, text: await response.text() }
    }
    const contentOf = ({ text }: { text: string }) => (JSON.parse(text) as OpenAI.ChatCompletion).choices[0]?.message.content
    const chat = [QUESTION, 'From eight to six. My account is DE89 3704 0044 0532 0130 00']
    model.script([{ text: 'Arr, no.' }])
    const prompted = await send(promptRequest('assistant', QUESTION))
    expect([prompted.status, prompted.text.endsWith('data: [DONE]\n\n')]).toEqual([200, true])
    expect(lastAsked()).not.toContain('pirate')
    const answered = await send(titleRequest('assistant', ...chat))
    expect(contentOf(answered)).toBe('{"title":"Opening hours"}')
    expect(answered.text).toContain('"ai_generated":true')
    expect(lastAsked()).toContain('[iban 1]')
    // Without knowledge and tools, nor the agent's own instruction.
    expect(lastAsked()).not.toContain('Answer briefly')
    expect(model.requests.at(-1)?.body.tools).toBeUndefined()
    for (const [request, text] of [
      [tagsRequest, '{"tags":["Town"]}'],
      [followUpsRequest, '{"follow_ups":["And on Sunday?"]}'],
      [queriesRequest, '{"queries":["town hall hours"]}'],
    ] as const) {
      model.script([{ text }])
      expect(contentOf(await send(request('assistant', ...chat)))).toBe(text)
    }
    // Labels aren't prompts, of which the token has one a minute; what Open WebUI's own retrieval sends is one.
    expect([await send(tagsRequest('assistant', ...chat)), await send(retrievalRequest('assistant', QUESTION))]).toMatchObject([
      { status: 429 },
      { status: 429 },
    ])
    model.script([{ text: 'Of course! Here is an essay about anything.' }])
    expect(contentOf({ text: await (await post(tagsRequest('assistant', ...chat))).text() })).toBe('{}')
    expect((await post(titleRequest('assistant', 'You blockhead'))).status).toBe(422)
  })

  test('runs the program of the documentation', async () => {
    model.script([{ text: 'From eight to six [1].' }])
    const output = await runSnippet('js', 'openai', { address: server.url, token: client.apiKey ?? '' })
    expect(output).toMatch(/^From eight to six\b.*\b(answered|answered_without_source)\n$/s)
  })

  test('stores nothing of a chat and logs nothing of it', async () => {
    await ask('cAnAry-question about everything')
    const files = readdirSync(server.dataDirectory, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())
    for (const entry of files) expect(readFileSync(join(entry.parentPath, entry.name)).includes('cAnAry-question'), entry.name).toBe(false)
    expect(server.output()).not.toContain('cAnAry')
    expect(server.output()).not.toContain(client.apiKey)
    // They are published with those of other visitors.
    await eventually(async () =>
      expect(await storedRows(server, "SELECT turns FROM daily_figures WHERE dimension = 'embed' AND value = 'api'")).toHaveLength(1),
    )
  })

  test('a server that goes down ends what is being written, and takes nothing more', async () => {
    const ending = Promise.withResolvers<void>()
    model.script([{ text: 'This is the beginning. It goes on ' }, { until: ending.promise }, { text: 'to its end.' }])
    const messages = [{ role: 'user' as const, content: 'Go on' }]
    const stream = await client.chat.completions.create({ model: 'assistant', stream: true, messages })
    const chunks = stream[Symbol.asyncIterator]()
    let text = ''
    while (text === '') text += (await chunks.next()).value?.choices[0]?.delta.content ?? ''
    const closed = server.kill('SIGTERM')
    // Refused by the listener too, if the client has no connection left.
    const refused = expect.toBeOneOf(['shutting_down', undefined])
    await eventually(async () => expect(await errorOf(ask('Hello'))).toMatchObject({ code: refused }))
    ending.resolve()
    for await (const { choices } of { [Symbol.asyncIterator]: () => chunks }) text += choices[0]?.delta.content ?? ''
    expect([text, await closed]).toEqual(['This is the beginning. It goes on to its end.', 0])
  })
})
