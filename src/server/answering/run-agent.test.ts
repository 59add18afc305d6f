import { jsonSchema } from 'ai'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { startScriptedModel, type ScriptedModel } from '../../../test/support/scripted-model.ts'
import type { ChatChunk, ChatMessage } from '../../contract/chat/message.ts'
import { Agents, type AgentsOptions } from './agents/agents.ts'
import { connectModel } from '../models/connect-model.ts'
import { EndpointQuirks } from '../models/requests/endpoint-quirks.ts'
import { DEFAULT_LIMITS } from '../models/model-limits.ts'
import { TokenCalibrations } from '../models/tokens/token-calibration.ts'
import { type RunContext, type RunOptions, runAgent } from './run-agent.ts'

let model: ScriptedModel
beforeAll(async () => {
  model = await startScriptedModel()
})
afterAll(() => model.close())

const QUESTION = 'How long are chats kept?'
const ROOT = join(import.meta.dirname, '../../..')
const never = new AbortController().signal
const prompt = (text: string): ChatMessage => ({ id: 'p', role: 'user', parts: [{ type: 'text', text }] })

async function agentWith(options: Partial<AgentsOptions> = {}) {
  const agents = await Agents.open({
    directory: join(ROOT, 'agents'),
    knowledgeDirectory: join(ROOT, 'knowledge'),
    model: { kind: 'openai-compatible', baseUrl: model.baseUrl, apiKey: 'key', model: 'm' },
    installation: { name: 'Parley', retentionDays: 30, contact: null, storage: 'sqlite' },
    ...options,
  })
  onTestFinished(() => agents.close())
  return agents.first
}

test('abandoning an answer ends the request to the model', async () => {
  const agent = await agentWith()
  model.script([{ text: ['one ', 'two '] }, { silence: true }])
  const read: ChatChunk[] = []
  for await (const chunk of agent.run({ messages: [prompt('Count')], signal: never })) {
    read.push(chunk)
    if (chunk.type === 'text-delta') break
  }
  expect(read.at(-1)).toMatchObject({ type: 'text-delta' })
  expect(await model.requests.at(-1)!.ended).toBe(true)
})

test('abandoning an answer aborts its running tool', async () => {
  const aborted = Promise.withResolvers<string>()
  const wait = {
    description: 'Waits.',
    inputSchema: jsonSchema({ type: 'object', properties: {} }),
    execute: (_: unknown, { abortSignal }: { abortSignal: AbortSignal }) =>
      new Promise(() => abortSignal.addEventListener('abort', () => aborted.resolve('aborted'))),
  }
  const settings = { kind: 'openai-compatible', baseUrl: model.baseUrl, apiKey: 'key', model: 'm' } as const
  const shared = { limits: DEFAULT_LIMITS, onWarning: () => undefined }
  const context = {
    ...shared,
    usesTools: () => true,
    findPassages: null,
    model: await connectModel(settings, { ...shared, quirks: new EndpointQuirks(), local: null }),
    prompt: () => ({ text: 'Wait.', tokens: 2 }),
    toolBox: { forTurn: () => ({ tools: { wait }, approvalRequired: new Set(), tokens: 10 }) },
    calibration: new TokenCalibrations().of('m'),
    thinking: null,
  } as unknown as RunContext
  model.script([{ toolCall: { name: 'wait', arguments: {} } }])
  for await (const chunk of runAgent(context, { messages: [prompt('Wait')], signal: never })) {
    if (chunk.type === 'tool-input-available') break
  }
  expect(await aborted.promise).toBe('aborted')
})

test("the built-in fallback ignores the visitor's remaining tokens", async () => {
  const agent = await agentWith({ fallbackModel: { kind: 'builtin' } })
  model.script({ status: 400 })
  const answer: ChatChunk[] = []
  const allowance = { inputTokens: 1, outputTokens: 1 }
  for await (const chunk of agent.run({ messages: [prompt(QUESTION)], signal: never, allowance })) answer.push(chunk)
  expect(answer[0]).toMatchObject({ type: 'message-metadata', messageMetadata: { isFallback: true } })
  expect(answer.map((chunk) => (chunk.type === 'text-delta' ? chunk.delta : '')).join('')).toContain('30 days')
})

/** Answer to the visitor when a small model writes these texts, one a request. */
async function answerOfSmall(question: string, ...text: string[]) {
  return answerTo([prompt(question)], text, small())
}

const small = () => ({ model: { kind: 'openai-compatible', baseUrl: model.baseUrl, apiKey: 'key', model: 'm', isSmall: true } }) as const

async function answerTo(
  messages: ChatMessage[],
  text: readonly string[],
  options: Partial<AgentsOptions>,
  readFiles?: RunOptions['readFiles'],
) {
  const agent = await agentWith(options)
  model.clear()
  for (const one of text) model.script(one === '' ? [{ finish: 'stop' }] : [{ text: [one] }])
  const chunks: ChatChunk[] = []
  for await (const chunk of agent.run({ messages, signal: never, readFiles })) chunks.push(chunk)
  const types = chunks.map(({ type }) => type)
  return { types, text: chunks.map((chunk) => (chunk.type === 'text-delta' ? chunk.delta : '')).join('') }
}

test("a small model's answer stands beside the words of its source", async () => {
  const { text, types } = await answerOfSmall(QUESTION, 'Yes.', 'A chat is deleted after 30 days without activity.')
  expect(text).toMatch(/^A chat is deleted after 30 days without activity \[\d\]\.\n\n> [^]*\[\d\]$/)
  expect(types).toContain('source-document')
})

test('a passage that a small model writes as code is shown with its source', async () => {
  const { text, types } = await answerOfSmall(QUESTION, 'Yes.', '```\nA chat is deleted automatically 30 days after its last message.\n```')
  expect(text).toContain('30 days after its last message.` [1]')
  expect(types).toContain('source-document')
})

test.each(['', 'The zeppelin was built by an uncle of the mayor.'])('where a small model writes %j, it cannot answer', async (written) => {
  const { text, types } = await answerOfSmall(QUESTION, 'Yes.', written)
  expect(text).toBe('I can’t answer this from the sources that I have.')
  expect(types).not.toContain('source-document')
})

test('a small model is asked first whether the passages answer, and nothing more if they do not', async () => {
  const asked = model.requests.length
  const { text } = await answerOfSmall(QUESTION, 'No.', 'A chat is deleted after 30 days without activity.')
  expect(text).toMatch(/find/)
  expect(text).not.toContain('30 days')
  const [first, ...others] = model.requests.slice(asked)
  expect(others).toEqual([])
  expect(JSON.stringify(first)).toMatch(/<passages>.*30 days.*Question: .*Yes or No/)
})

test('a small model is asked without chance, since an endpoint has a temperature of its own', async () => {
  const asked = model.requests.length
  await answerOfSmall(QUESTION, 'Yes.', 'A chat is deleted after 30 days without activity.')
  expect(model.requests.slice(asked).map(({ body }) => body.temperature)).toEqual([0, 0])
})

test('a small model is not asked what the documents do not say, and no step of a search is shown', async () => {
  const asked = model.requests.length
  const { text, types } = await answerOfSmall('zeppelin quark', 'A zeppelin quark is a kind of cheese.')
  expect(text).toMatch(/find/)
  expect(types.filter((type) => type.startsWith('tool-'))).toEqual([])
  expect(model.requests).toHaveLength(asked)
})

test.each(['a small model', 'an agent that only quotes'])(
  '%s may state what a file says that the visitor attaches, and no other figures',
  async (by) => {
    const directory = mkdtempSync(join(tmpdir(), 'parley-run-agent-'))
    onTestFinished(() => rmSync(directory, { recursive: true }))
    writeFileSync(join(directory, 'strict.md'), '---\nname: Anna\ngreeting: Hello.\npolicy: {strictness: quote}\n---\nYou are Anna.\n')
    const url = '/api/v1/files/f_0123456789abcdefghijk'
    const asked = prompt('What does the zeppelin cost?')
    const messages = [{ ...asked, parts: [...asked.parts, { type: 'file' as const, mediaType: 'text/plain', filename: 'a.txt', url }] }]
    const text = 'Zeppelin ride: 480 €, paid on 3 May.'
    const readFiles = async ([id = '']: readonly string[]) =>
      new Map([[id, { name: 'a.txt', mediaType: 'text/plain', content: new Uint8Array(), text }]])
    const written = ['The zeppelin ride costs 480 €. It takes 55 minutes.']
    const answer = await answerTo(messages, written, by === 'a small model' ? small() : { directory }, readFiles)
    expect(answer.text.trim()).toBe('The zeppelin ride costs 480 €.')
  },
)
