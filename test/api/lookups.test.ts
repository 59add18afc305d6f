import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { SendPromptReply } from '../../src/contract/chat/chat.ts'
import { cookieOf, readinessDetails, sendPrompt } from '../support/api.ts'
import { promptTokensOf } from '../support/count-tokens.ts'
import { DATABASES, type TestDatabase } from '../support/databases.ts'
import { eventually } from '../support/eventually.ts'
import { type RecordedRequest, type Script, type ScriptedModel, type ScriptStep, startScriptedModel } from '../support/scripted-model.ts'
import { startServer, type TestServer } from '../support/server.ts'

const METRICS_TOKEN = 'a-token-for-operators'

/** Allowed error of estimates. */
const ERROR = 1.15
const WORDS = 'The pump of the washing machine is behind the cover at the lower right and has a filter that needs cleaning twice a year. '
const call = (name: string, input: Record<string, unknown>): ScriptStep => ({ toolCall: { name, arguments: input } })
const search = (topic: number): ScriptStep => call('search_knowledge', { query: `pump topic${topic}` })
const countOf = (text: string, pattern: RegExp) => text.match(pattern)?.length ?? 0

/**
 * A model that follows commands: `look 3 2` makes 2 searches in each of 3 steps, `use TOOL` calls one tool. Then it
 * answers, unless told to continue for ever.
 */
function lookUp({ body, prompt }: RecordedRequest): Script | undefined {
  const asked = prompt.slice(prompt.lastIndexOf('\n') + 1)
  const [, steps = '0', times = '1'] = /^look (\d+) (\d+)/.exec(asked) ?? []
  const [, tool] = /^use (\S+)/.exec(asked) ?? []
  const done = body.messages.length - 1 - body.messages.findLastIndex(({ role }) => role === 'user')
  const results = body.messages.slice(body.messages.length - done).filter(({ role }) => role === 'assistant').length
  if (asked.startsWith('for ever')) return [search(results)]
  if (body.tool_choice === 'none') return [{ text: 'This is what I found [1].' }]
  if (tool && results === 0) return [call(tool, { order: '7' })]
  if (results >= Number(steps)) return [{ text: `This is what I found after ${results} lookups [1].` }]
  return Array.from({ length: Number(times) }, (_, index) => search(results * 10 + index))
}

/** Knowledge of 24 documents, each a passage of some 5 kB. */
function writeKnowledge(directory: string): void {
  mkdirSync(directory)
  for (let topic = 0; topic < 24; topic += 1)
    writeFileSync(join(directory, `pump-${topic}.md`), `# Pump topic${topic}\n\n${`${WORDS}See topic${topic}. `.repeat(36)}\n`)
}

interface Setup {
  database: TestDatabase
  env?: Record<string, string>
  /** Size of the tool definitions of each of two MCP servers, in bytes. */
  definitionBytes?: number
}

interface Installation {
  model: ScriptedModel
  server: TestServer
  /** Sends a prompt. `turn` has its model requests. */
  send(prompt: string, chat?: { session: string; cookie: string }): Promise<Sent>
  close(): Promise<void>
}

interface Sent {
  status: number
  text: string
  chat: { session: string; cookie: string }
  turn: RecordedRequest[]
}

async function install({ database, env, definitionBytes = 0 }: Setup): Promise<Installation> {
  const directory = mkdtempSync(join(tmpdir(), 'lookups-'))
  writeKnowledge(join(directory, 'knowledge'))
  mkdirSync(join(directory, 'agents'))
  const wide = (bytes: number) => ({
    command: process.execPath,
    args: ['--disable-warning=ExperimentalWarning', join(import.meta.dirname, '../support/wide-mcp-server.ts')],
    env: { BYTES: String(bytes), RESULT_BYTES: '60000' },
    shared: true,
  })
  const mcpServers = definitionBytes > 0 ? { one: wide(definitionBytes), two: wide(definitionBytes) } : {}
  writeFileSync(join(directory, 'mcp.json'), JSON.stringify({ mcpServers }))
  const named = Object.keys(mcpServers).join(', ')
  writeFileSync(
    join(directory, 'agents/assistant.md'),
    `---\nname: Anna\ngreeting: Hello.\nmcp: [${named}]\nreadOnly: [${named}]\n---\nYou are Anna.\n`,
  )
  const model = await startScriptedModel({ countPrompt: promptTokensOf })
  model.script(lookUp)
  const server = await startServer({
    database,
    env: {
      OPENAI_BASE_URL: model.baseUrl,
      MODEL: 'scripted',
      AGENTS_DIR: join(directory, 'agents'),
      KNOWLEDGE_DIR: join(directory, 'knowledge'),
      TOOLS_DIR: directory,
      LIMIT_TOKENS_PER_DAY: '1000000000',
      LIMIT_NETWORK_TOKENS_PER_DAY: '1000000000',
      ...env,
    },
  })
  return {
    model,
    server,
    async send(prompt, chat) {
      const before = model.requests.length
      const reply = await sendPrompt(server.url, 'assistant', prompt, chat && { session: chat.session, headers: { cookie: chat.cookie } })
      const body = (await reply.json()) as SendPromptReply & { code?: string }
      const turn = model.requests.slice(before).filter((request) => request.body.tools !== undefined)
      const text = reply.status === 200 ? body.response : String(body.code)
      return { status: reply.status, text, turn, chat: chat ?? { session: body.session_id, cookie: cookieOf(reply) } }
    },
    async close() {
      const code = await server.stop()
      await model.close()
      rmSync(directory, { recursive: true })
      expect(code, server.output()).toBe(0)
    },
  }
}

const readTokens = (turn: readonly RecordedRequest[]) => turn.reduce((sum, { body }) => sum + promptTokensOf(body), 0)
const resultsOf = ({ body }: RecordedRequest) => body.messages.filter(({ role }) => role === 'tool').map(({ content }) => String(content))

describe.each(DATABASES)('with default settings on %s', (database) => {
  let installed: Installation
  beforeAll(async () => {
    installed = await install({ database })
  })
  afterAll(() => installed.close())

  test('16 of 16 prompts are answered from passages of 5 kB with one search each, within the token limit', async () => {
    const { send } = installed
    let chat: Sent['chat'] | undefined
    for (let prompt = 0; prompt < 16; prompt += 1) {
      const sent = await send(`look 1 1 ${prompt} ${'Please tell me in full. '.repeat(20)}`, chat)
      expect([sent.status, sent.text]).toEqual([200, 'This is what I found after 1 lookups [1].'])
      expect(sent.turn).toHaveLength(2)
      expect(resultsOf(sent.turn[1] as RecordedRequest).join('')).toContain('The pump of the washing machine')
      expect(readTokens(sent.turn)).toBeLessThan(32_000 * ERROR)
      chat = sent.chat
    }
  })

  test.each([
    ['two searches, one after the other', 'look 2 1', 2],
    ['three searches, one after the other', 'look 3 1', 3],
    ['eight searches at once', 'look 1 8', 1],
    ['eight searches at once, twice', 'look 2 8', 2],
  ])('a long chat and %s still get an answer', async (_, prompt, lookups) => {
    const { send } = installed
    let { chat } = await send(`look 0 0 ${'My machine makes a noise. '.repeat(400)}`)
    for (let turn = 0; turn < 3; turn += 1) ({ chat } = await send(`look 1 1 ${'And it leaks too. '.repeat(80)}`, chat))
    const sent = await send(prompt, chat)
    expect([sent.status, sent.text]).toEqual([200, expect.stringContaining('This is what I found')])
    // The last lookup may find no room.
    expect(sent.turn.length).toBeGreaterThanOrEqual(Math.min(lookups, 2) + 1)
    for (const result of sent.turn.flatMap(resultsOf)) expect(result).toContain('topic')
    expect(readTokens(sent.turn)).toBeLessThan(32_000 * ERROR)
  })

  test('a prompt of the largest size is answered', async () => {
    const sent = await installed.send(`look 1 1 ${'word '.repeat(6_380)}`)
    expect([sent.status, sent.text]).toEqual([200, 'This is what I found after 1 lookups [1].'])
  })

  test('a model that keeps searching is told to answer in its last step', async () => {
    const { status, text, turn } = await installed.send('for ever')
    expect([status, text]).toEqual([502, 'model_failed'])
    expect(turn.at(-1)?.body.tool_choice).toBe('none')
    expect(JSON.stringify(turn.at(-1)?.body.messages[0])).toContain('You can use no more tools')
  })

  test('a call of an unknown tool is reported to the model, in the last step too', async () => {
    const unknown = await installed.send('use shell')
    expect([unknown.status, unknown.turn.length]).toEqual([200, 2])
    expect(resultsOf(unknown.turn[1] as RecordedRequest)[0]).toMatch(/shell.*search_knowledge/)
  })
})

describe('with two MCP servers of 15 kB of definitions', () => {
  let installed: Installation
  beforeAll(async () => {
    installed = await install({ database: 'sqlite', definitionBytes: 15_000 })
    await eventually(async () => expect((await installed.send('look 0 0')).turn[0]?.body.tools).toHaveLength(21))
  })
  afterAll(() => installed.close())

  test('answers lookups, and trims a result of 60 kB to what fits', async () => {
    const found = await installed.send('look 2 1')
    expect([found.status, found.text]).toEqual([200, expect.stringContaining('This is what I found')])
    expect(found.turn).toHaveLength(3)
    const large = await installed.send('use one_find_3')
    expect([large.status, large.turn.length]).toEqual([200, 2])
    const [result = ''] = resultsOf(large.turn[1] as RecordedRequest)
    expect(JSON.parse(result)).toMatchObject({ content: expect.stringMatching(/^Called find_3\./), shortened: expect.any(String) })
    expect(result.length).toBeGreaterThan(8_000)
    expect(readTokens(large.turn)).toBeLessThan(32_000 * ERROR)
  })
})

describe('with definitions that do not fit', () => {
  let installed: Installation
  beforeAll(async () => {
    installed = await install({ database: 'sqlite', definitionBytes: 15_000, env: { LIMIT_TURN_INPUT_TOKENS: '12000', METRICS_TOKEN } })
    await eventually(async () => expect(await problems()).toHaveLength(1))
  })
  afterAll(() => installed.close())
  const problems = () => readinessDetails(installed.server, METRICS_TOKEN)

  test('external tools are dropped first, and the log and the readiness check name them', async () => {
    const { turn, status } = await installed.send('look 1 1')
    expect(status).toBe(200)
    await installed.send('look 1 1')
    const names = turn[0]?.body.tools?.map((tool) => tool.function.name) ?? []
    expect(names).toEqual(expect.arrayContaining(['search_knowledge', 'one_find_1']))
    expect(names).not.toContain('two_find_10')
    const [problem = ''] = await problems()
    expect(problem).toMatch(/The agent assistant answers without the tools two_find_10, .*LIMIT_TURN_INPUT_TOKENS/)
    await expect.poll(() => countOf(installed.server.output(), /answers without the tools/g)).toBe(1)
  })
})

describe.each([
  { LIMIT_TURN_INPUT_TOKENS: '6000' },
  { LIMIT_TURN_INPUT_TOKENS: '12000' },
  { MODEL_WINDOW: '4000' },
  { MODEL_WINDOW: '8000', LIMIT_TURN_INPUT_TOKENS: '20000' },
])('with %j', (env: Record<string, string>) => {
  let installed: Installation
  beforeAll(async () => {
    installed = await install({ database: 'sqlite', env })
  })
  afterAll(() => installed.close())

  test('answers lookups within every limit as the provider counts', async () => {
    const { send } = installed
    const limit = Number(env['LIMIT_TURN_INPUT_TOKENS'] ?? 32_000)
    const window = Number(env['MODEL_WINDOW'] ?? Number.POSITIVE_INFINITY)
    let chat: Sent['chat'] | undefined
    let most = 0
    for (const prompt of ['look 1 1', 'look 2 1', 'look 1 4', 'look 4 2', `look 2 2 ${'It leaks. '.repeat(100)}`, 'look 5 1']) {
      const sent = await send(prompt, chat)
      expect([prompt, sent.status, sent.text]).toEqual([prompt, 200, expect.stringContaining('This is what I found')])
      expect(sent.turn.slice(1).flatMap(resultsOf)[0]).toContain('The pump of the washing machine')
      expect(readTokens(sent.turn)).toBeLessThan(limit * ERROR)
      most = Math.max(most, readTokens(sent.turn))
      for (const { body } of sent.turn) expect(promptTokensOf(body) + Number(body['max_tokens'])).toBeLessThan(window * ERROR)
      chat = sent.chat
    }
    // The budget is used well.
    expect(most).toBeGreaterThan(Math.min(limit, 2 * window) * 0.5)
  })
})
