import { createServer } from 'node:net'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { MessageBuilder } from '../../contract/chat/message-builder.ts'
import type { ChatChunk, ChatMessage } from '../../contract/chat/message.ts'
import { textOf } from '../../contract/chat/message-text.ts'
import {
  type Script,
  type ScriptedModel,
  type ScriptStep,
  startScriptedModel,
  withoutPassages,
} from '../../../test/support/scripted-model.ts'
import { citationOf } from '../../contract/chat/citation.ts'
import { AgentFailure, type ModelLimits, type ModelSettings } from '../answering/agents/agent.ts'
import { Agents } from '../answering/agents/agents.ts'

const SHORT: Partial<ModelLimits> = { retryDelayMs: 1, mergeDeltasMs: 5 }
const SILENT: Partial<ModelLimits> = { ...SHORT, firstDataTimeoutMs: 150, idleTimeoutMs: 150 }

let model: ScriptedModel
let warnings: string[] = []
beforeAll(async () => {
  model = await startScriptedModel()
})
afterAll(() => model.close())

async function agentFor(
  limits: Partial<ModelLimits> = SHORT,
  settings: ModelSettings = { kind: 'openai-compatible', baseUrl: model.baseUrl, apiKey: 'key', model: 'm' },
) {
  warnings = []
  const agents = await Agents.open({
    directory: join(import.meta.dirname, '../../../agents'),
    model: settings,
    knowledgeDirectory: join(import.meta.dirname, '../../../knowledge'),
    installation: { name: 'Parley', retentionDays: 30, contact: null, storage: 'sqlite' },
    limits,
    onWarning: (message) => warnings.push(message),
  })
  return agents.first
}

const user = (text: string): ChatMessage => ({ id: 'p', role: 'user', parts: [{ type: 'text', text }] })

interface Outcome {
  chunks: ChatChunk[]
  message: ChatMessage
  text: string
  failure: AgentFailure | undefined
}

async function run(
  messages: ChatMessage[],
  limits?: Partial<ModelLimits>,
  { signal = new AbortController().signal, continues = false } = {},
): Promise<Outcome> {
  const agent = await agentFor(limits)
  const chunks: ChatChunk[] = []
  const builder = new MessageBuilder('a')
  let failure: AgentFailure | undefined
  try {
    for await (const chunk of agent.run({ messages, continues, signal })) {
      chunks.push(chunk)
      builder.apply(chunk)
    }
  } catch (error) {
    if (!(error instanceof AgentFailure)) throw error
    failure = error
  }
  const message = builder.finished()
  return { chunks, message, text: textOf(message), failure }
}

let prompts = 0

/** Answers one prompt with the scripts, one per request. */
function ask(scripts: Script[], limits?: Partial<ModelLimits>): Promise<Outcome> {
  const prompt = `prompt ${(prompts += 1)}`
  const left = [...scripts]
  model.script((request) => (request.prompt === prompt ? left.shift() : undefined))
  return run([user(prompt)], limits)
}

test("streams a model's answer without the chunks of the turn", async () => {
  const { chunks, text, failure } = await ask([[{ reasoning: ['I ', 'think'] }, { text: 'Hello, world. How are you?' }]])
  expect(failure).toBeUndefined()
  expect(text).toBe('Hello, world. How are you?')
  const types = [...new Set(chunks.map((chunk) => chunk.type))]
  expect(types).toEqual([
    'start-step',
    'reasoning-start',
    'reasoning-delta',
    'reasoning-end',
    'text-start',
    'text-delta',
    'text-end',
    'finish-step',
  ])
  const [request] = model.requests.slice(-1)
  expect(request?.headers.authorization).toBe('Bearer key')
  expect(request?.body).toMatchObject({ model: 'm', max_tokens: 2_000, stream: true })
})

test('sends the system prompt that the agent reports', async () => {
  model.script([{ text: 'ok' }])
  const agent = await agentFor()
  const prompt = agent.systemPrompt()
  for await (const _ of agent.run({ messages: [user('hi')], signal: new AbortController().signal }));
  expect(model.requests.at(-1)?.body.messages[0]).toEqual({ role: 'system', content: prompt })
  expect(prompt).toMatch(/^You are the assistant of Parley[\s\S]*come with passages[\s\S]*Today is/)
})

test('runs tools and sends their results to the model', async () => {
  const { message, text } = await ask([[{ toolCall: { name: 'calculator', arguments: { expression: '6*7' } } }], [{ text: 'It is 42.' }]])
  expect(text).toBe('It is 42.')
  expect(message.parts.find((part) => part.type === 'tool-calculator')).toMatchObject({ state: 'output-available', output: { result: 42 } })
  const last = model.requests.at(-1)?.body.messages.at(-1)
  expect(last).toMatchObject({ role: 'tool', content: expect.stringContaining('42') })
})

const KEPT = 'How long are my chats kept?'
const sourcesOf = (message: ChatMessage) => message.parts.filter((part) => part.type === 'source-document')

test('sends the nearest passages with the prompt, and shows the sources that the answer cites, numbered by their appearance', async () => {
  model.script([{ text: 'They are kept for a while [2], and no longer [9].' }])
  const { message, text } = await run([user(KEPT)])
  const [source, ...others] = sourcesOf(message)
  const [first = ''] = ((source && citationOf(source)?.quote) ?? '').split('\n')
  expect([source?.sourceId, others, text]).toEqual(['1', [], 'They are kept for a while [1], and no longer.'])
  const sent = JSON.stringify(model.requests.at(-1)?.body.messages.at(-1)?.content)
  expect(sent.split('[2] ')[1]).toContain(JSON.stringify(first).slice(1, -1))
})

test('numbers go on through the chat, and what an earlier answer cites can be cited again', async () => {
  model.script([{ text: 'For a while [1].' }])
  const { message: first } = await run([user(KEPT)])
  model.script([{ text: 'Eine Weile [1].' }])
  const { message } = await run([user(KEPT), first, user('zzz')])
  expect(sourcesOf(message)).toEqual(sourcesOf(first))
  const sent = JSON.stringify(model.requests.at(-1)?.body.messages.at(-1)?.content)
  expect(sent.split('[1] ')).toHaveLength(2)
})

test.each([
  ['no JSON', { name: 'calculator', arguments: '{"expression"' }],
  ['a wrong type', { name: 'calculator', arguments: { expression: 7 } }],
  ['1 MB', { name: 'calculator', arguments: { expression: '1'.repeat(900_000) } }],
  ['an unknown tool', { name: 'shell', arguments: { command: 'ls' } }],
])('reports a tool call with %s to the model and continues', async (_, toolCall) => {
  const { message, text, failure, chunks } = await ask([[{ toolCall }], [{ text: 'Sorry.' }]])
  expect([failure, text]).toEqual([undefined, 'Sorry.'])
  expect(message.parts.find((part) => 'toolCallId' in part)).toMatchObject({
    state: 'output-error',
    errorText: 'The tool could not be used in this way.',
  })
  expect(JSON.stringify(chunks).length).toBeLessThan(5_000)
})

test('stops a model that keeps calling tools', async () => {
  const before = model.requests.length
  model.script(({ prompt }) => (prompt === 'loop' ? [{ toolCall: { name: 'calculator', arguments: { expression: '1+1' } } }] : undefined))
  const { failure } = await run([user('loop')])
  expect(failure?.code).toBe('model_failed')
  // The last step allows no tools; a call there leads to one more step.
  expect(model.requests.length - before).toBe(7)
  expect(model.requests.at(-1)?.body.tool_choice).toBe('none')
  expect(JSON.stringify(model.requests.at(-1)?.body.messages.at(-1))).toContain('No more tools')
})

test('accepts the answer of a model that also calls a tool in its last step', async () => {
  const call = { toolCall: { name: 'calculator', arguments: { expression: '1+1' } } }
  const { text, failure } = await ask([[call], [{ text: 'It is 2.' }, call]], { ...SHORT, maxSteps: 2 })
  expect([text, failure]).toEqual(['It is 2.', undefined])
  const again = await ask([[call], [call], [{ text: 'Two.' }]], { ...SHORT, maxSteps: 2 })
  expect([again.text, again.failure]).toEqual(['Two.', undefined])
  expect(again.message.parts.filter((part) => 'toolCallId' in part)).toHaveLength(1)
})

describe('failures of the model', () => {
  const partial: ScriptStep = { text: 'Some words' }
  test.each<[string, Script[], string, Partial<ModelLimits>?]>([
    ['status 500 three times', [{ status: 500 }, { status: 502 }, { status: 500 }], 'model_unavailable'],
    ['status 529 three times', [{ status: 529 }, { status: 529 }, { status: 529 }], 'model_busy'],
    ['status 401', [{ status: 401 }], 'model_unavailable'],
    ['status 404 with a page', [{ status: 404, body: '<html>secret</html>' }], 'model_unavailable'],
    ['a redirect', [{ status: 302, headers: { location: 'http://127.0.0.1:1/' } }], 'model_unavailable'],
    ['a connection cut before data', [[{ cut: true }]], 'model_interrupted'],
    ['a connection cut in the middle', [[partial, { cut: true }]], 'model_interrupted'],
    ['an end without a finish', [[partial, { raw: ': bye\n\n' }, { cut: true }]], 'model_interrupted'],
    ['broken JSON', [[partial, { raw: 'data: {"choices":[{"delta":{"content":"secr\n\n' }]], 'model_failed'],
    ['an error in the stream', [[partial, { raw: 'data: {"error":{"message":"secret"}}\n\n' }]], 'model_failed'],
    ['bad UTF-8', [[partial, { raw: Buffer.from([...Buffer.from('data: "'), 0xff, 0xfe, 0x22, 0x0a, 0x0a]) }]], 'model_failed'],
    ['an HTML page', [{ headers: { 'content-type': 'text/html' }, body: '<html>secret</html>' }], 'model_failed'],
    ['a compressed stream', [{ headers: { 'content-encoding': 'gzip' }, steps: [partial] }], 'model_failed'],
    ['an empty answer', [[]], 'model_failed'],
    ['silence after the headers', [[{ silence: true }]], 'model_timeout', SILENT],
    ['silence before the headers', [{ delayMs: 400, steps: [partial] }], 'model_timeout', SILENT],
    ['silence in the middle', [[partial, { silence: true }]], 'model_timeout', SILENT],
    ['only keep-alives', [[{ keepAlive: { everyMs: 10 } }]], 'model_timeout', SILENT],
    ['keep-alives in the middle', [[partial, { keepAlive: { everyMs: 10 } }]], 'model_timeout', SILENT],
    ['an answer that takes too long', [[{ endless: 'word ', tokensPerSecond: 200 }]], 'model_timeout', { ...SHORT, totalTimeoutMs: 200 }],
    [
      'tokens without end',
      [[{ endless: 'word '.repeat(100), tokensPerSecond: 1_000 }]],
      'answer_too_long',
      { ...SHORT, maxAnswerCharacters: 5_000 },
    ],
    ['a line without end', [[partial, { longLine: 100 * 1024 * 1024 }]], 'model_failed'],
  ])('%s', async (_, scripts, code, limits) => {
    const { failure, text, chunks } = await ask(scripts, limits)
    expect(failure?.code).toBe(code)
    const hasText = scripts.flatMap((script) => (Array.isArray(script) ? script : [])).includes(partial)
    expect(text.startsWith('Some words')).toBe(hasText)
    expect(JSON.stringify(chunks)).not.toMatch(/secret|internals|127\.0\.0\.1|Error/)
  })

  test('keeps an answer truncated at its limit', async () => {
    const { text } = await ask([[{ endless: 'word '.repeat(100), tokensPerSecond: 1_000 }]], { ...SHORT, maxAnswerCharacters: 5_000 })
    expect(text).toBe('word '.repeat(1_000))
  })

  test('retries when nothing was received', async () => {
    const { text, failure } = await ask([{ status: 500 }, { status: 503 }, [{ text: 'There.' }]])
    expect([failure, text]).toEqual([undefined, 'There.'])
  })

  test('does not retry before a long Retry-After, and reports it', async () => {
    const before = model.requests.length
    const { failure } = await ask([{ status: 429, headers: { 'retry-after': '60' } }])
    expect(failure).toMatchObject({ code: 'model_busy', retryAfterS: 60 })
    expect(model.requests.length - before).toBe(1)
  })

  test('reports that nothing listens at the address', async () => {
    const closed = await startScriptedModel()
    await closed.close()
    const agent = await agentFor(SHORT, { kind: 'openai-compatible', baseUrl: closed.baseUrl, apiKey: undefined, model: 'm' })
    const running = Array.fromAsync(agent.run({ messages: [user('hi')], signal: new AbortController().signal }))
    await expect(running).rejects.toMatchObject({ code: 'model_unavailable' })
  })

  test('times out while connecting', async () => {
    // A server with a full accept queue does not respond; a silent TLS peer is the same.
    const silent = createServer(() => {}).listen(0, '127.0.0.1')
    await new Promise((resolve) => silent.once('listening', resolve))
    const baseUrl = `https://127.0.0.1:${(silent.address() as AddressInfo).port}/v1`
    const agent = await agentFor(
      { ...SHORT, connectTimeoutMs: 50, maxRetries: 0 },
      { kind: 'openai-compatible', baseUrl, apiKey: undefined, model: 'm' },
    )
    const running = Array.fromAsync(agent.run({ messages: [user('hi')], signal: new AbortController().signal }))
    await expect(running).rejects.toMatchObject({ code: 'model_unavailable' })
    silent.close()
  })
})

test('ends the answer at [DONE] though the connection stays open', async () => {
  const { text, failure } = await ask([[{ text: 'All said.' }, { doneLeftOpen: true }]])
  expect([failure, text]).toEqual([undefined, 'All said.'])
})

test('comments in the stream are ignored', async () => {
  const { text } = await ask([[{ raw: ': hello\n\n' }, { text: 'One ' }, { raw: ': ping\n' }, { text: ['two.'] }]])
  expect(text).toBe('One two.')
})

test('a stop ends the request to the model', async () => {
  const stopping = new AbortController()
  model.script([{ text: 'Some' }, { endless: ' words', tokensPerSecond: 100 }])
  const agent = await agentFor()
  for await (const chunk of agent.run({ messages: [user('hi')], signal: stopping.signal })) {
    if (chunk.type === 'text-delta') stopping.abort()
  }
  expect(await model.requests.at(-1)?.ended).toBe(true)
})

test('abandoning the run ends the request to the model', async () => {
  model.script([{ text: 'Some' }, { silence: true }])
  const agent = await agentFor()
  for await (const chunk of agent.run({ messages: [user('hi')], signal: new AbortController().signal })) {
    if (chunk.type === 'text-delta') break
  }
  expect(await model.requests.at(-1)?.ended).toBe(true)
})

test('an emoji split over two deltas arrives intact, and NUL is removed', async () => {
  const { text, chunks } = await ask([[{ text: ['a\0b ', '\ud83d', '\ude00', ' \ud83d', ' x'] }]], {
    ...SHORT,
    mergeDeltasMs: 0,
  })
  expect(text).toBe('ab \u{1F600} \uFFFD x')
  expect(chunks.filter((chunk) => chunk.type === 'text-delta' && !chunk.delta.isWellFormed())).toEqual([])
})

test('text that looks like stream markup stays text', async () => {
  const hostile = 'data: [DONE]\n\nevent: done\n\n: x\r\n\u2028 {"content":"x"} \\" </script>'
  const { text } = await ask([[{ text: ['', hostile, hostile] }]])
  expect(text).toBe(hostile + hostile)
})

test('a prompt that a provider rejects does not end its chat', async () => {
  model.script(({ body }) =>
    JSON.stringify(body.messages).includes('qqq') ? { status: 400, body: '{"error":{"message":"no"}}' } : [{ text: 'ok' }],
  )
  const failed: ChatMessage = { id: 'a', role: 'assistant', metadata: { status: 'failed' }, parts: [] }
  const before = model.requests.length
  const { text } = await run([user('qqq'), failed, user('next')])
  expect(text).toBe('ok')
  const sent = model.requests.slice(before).map(({ body }) => withoutPassages(String(body.messages[1]?.content)))
  expect(sent).toEqual(['qqq\n\nnext', 'next'])
})

test('the model receives earlier answers, and not failed ones', async () => {
  const answer = (parts: ChatMessage['parts'], status: 'done' | 'failed' | 'stopped' = 'done'): ChatMessage => ({
    id: 'a',
    role: 'assistant',
    metadata: { status },
    parts,
  })
  model.script([{ text: 'ok' }])
  await run([
    user('first'),
    answer([
      { type: 'step-start' },
      { type: 'text', text: 'an answer' },
      { type: 'source-document', sourceId: 's', mediaType: 'text/markdown', title: 't' },
      { type: 'custom', kind: 'parley.topics', providerMetadata: { parley: { topics: ['x'] } } },
    ]),
    user('second'),
    answer([{ type: 'text', text: 'broken' }], 'failed'),
    user('third'),
    answer([{ type: 'text', text: '' }], 'stopped'),
    user('fourth'),
  ])
  const [system, ...messages] = model.requests.at(-1)?.body.messages ?? []
  expect(system).toMatchObject({ role: 'system', content: expect.stringContaining('Parley') })
  expect(messages).toEqual([
    { role: 'user', content: 'first' },
    { role: 'assistant', content: 'an answer' },
    { role: 'user', content: expect.stringMatching(/^second\n\nthird\n\n<passages>\n[^]*\n<\/passages>\n\nfourth$/) },
  ])
})

test('a long conversation loses its oldest messages and starts with a prompt', async () => {
  const answer: ChatMessage = { id: 'a', role: 'assistant', parts: [{ type: 'text', text: 'y'.repeat(200) }] }
  model.script([{ text: 'ok' }])
  await run([user('old '.repeat(200)), answer, user('newer'), answer, user('new '.repeat(500))], { ...SHORT, maxHistoryTokens: 200 })
  const roles = model.requests.at(-1)?.body.messages.map((message) => message.role)
  expect(roles).toEqual(['system', 'user', 'assistant', 'user'])
})

test('an interrupted answer can be continued, whatever interrupted it', async () => {
  const brokenOff = (text: string, status: 'failed' | 'interrupted'): ChatMessage => ({
    id: 'a',
    role: 'assistant',
    metadata: { status },
    parts: [{ type: 'step-start' }, { type: 'text', text }],
  })
  model.script([{ text: 'rest' }])
  await run(
    [user('first'), brokenOff('left out', 'failed'), user('second'), brokenOff('Half', 'failed'), brokenOff(' an answ', 'interrupted')],
    SHORT,
    {
      continues: true,
    },
  )
  const messages = model.requests.at(-1)?.body.messages.slice(1)
  expect(messages?.map(({ role }) => role)).toEqual(['user', 'assistant', 'user'])
  expect(messages?.[1]).toEqual({ role: 'assistant', content: 'Half an answ' })
  expect(messages?.[2]?.content).toContain('exactly at that point')
})

test.each<[ModelSettings, object]>([
  [
    { kind: 'openai', apiKey: 'k', model: 'gpt-5-mini' },
    { label: 'gpt-5-mini', provider: 'OpenAI', acceptedFiles: 'images' },
  ],
  [
    { kind: 'anthropic', apiKey: 'k', model: 'claude-2.1' },
    { label: 'claude-2.1', provider: 'Anthropic', acceptedFiles: 'text' },
  ],
  [
    { kind: 'openai-compatible', baseUrl: 'http://ollama:11434/v1', apiKey: undefined, model: 'llama' },
    { label: 'llama', provider: 'ollama:11434', acceptedFiles: 'text' },
  ],
])('describes the model: %o', async (settings, description) => {
  expect((await agentFor(SHORT, settings)).model).toEqual(description)
  expect(warnings).toEqual([])
})
