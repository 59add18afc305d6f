import { dynamicTool } from 'ai'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { NO_POLICY } from '../replies/policy.ts'
import { z } from 'zod'
import { stepResetChunk } from '../../contract/chat/parts/step-start.ts'
import { MessageBuilder } from '../../contract/chat/message-builder.ts'
import type { ChatMessage } from '../../contract/chat/message.ts'
import { textOf } from '../../contract/chat/message-text.ts'
import { ANSWER, type Dialect, errorReply, textReply } from '../../../test/support/dialect.ts'
import { DIALECTS, ONLY_RESPONSES } from '../../../test/support/dialects.ts'
import { responses } from '../../../test/support/responses-protocol.ts'
import { type Script, type ScriptedModel, startScriptedModel } from '../../../test/support/scripted-model.ts'
import { AgentFailure, createAgent } from '../answering/agents/agent.ts'
import type { AgentDefinition } from '../answering/agents/definition/agent-definition.ts'
import { EndpointQuirks } from './requests/endpoint-quirks.ts'
import { TokenCalibrations } from './tokens/token-calibration.ts'

let server: ScriptedModel
beforeAll(async () => {
  server = await startScriptedModel({ fallback: [{ text: ANSWER }] })
})
afterAll(() => server.close())

const limits = { retryDelayMs: 1, mergeDeltasMs: 1, maxRetries: 1 }
const definition: AgentDefinition = {
  file: 'a.md',
  id: 'a',
  name: 'A',
  picture: null,
  greeting: '',
  starters: [],
  languages: {},
  model: null,
  reasoningEffort: null,
  tools: ['calculator'],
  mcp: ['tools'],
  readOnly: ['tools'],
  http: [],
  approval: [],
  choices: [],
  knowledge: [],
  policy: NO_POLICY,
  personalData: null,
  limits: { steps: null, answerTokens: null, answerSeconds: null },
  instructions: 'Be kind.',
}

const READ_BOOK = dynamicTool({
  description: 'Reads a book.',
  inputSchema: z.object({}),
  execute: async () => 'Call me Ishmael. '.repeat(100),
})

let models = 0

/** Sends one prompt per list of replies to the same endpoint. */
async function ask(
  { replies, model = `m${(models += 1)}`, settings, agent: ofAgent }: Dialect & { agent?: Partial<AgentDefinition> },
  times = 1,
  earlier: ChatMessage[] = [],
) {
  const warnings: string[] = []
  const before = server.requests.length
  const agent = await createAgent({ ...definition, ...ofAgent }, null, {
    model: { kind: 'openai-compatible', baseUrl: server.baseUrl, apiKey: 'key', model, ...settings },
    fallbackModel: null,
    local: null,
    installation: { name: 'Parley', retentionDays: 30, contact: null, storage: 'sqlite' },
    limits,
    quirks: new EndpointQuirks(),
    startersOf: () => [],
    knowledge: {
      search: async () => ({ passages: [], topics: [], progress: null }),
      neighbours: async () => null,
      version: async () => '',
    },
    httpToolsOf: () => ({}),
    mcpToolsOf: ({ length }) => (length > 0 ? { read_book: READ_BOOK } : {}),
    calibrations: new TokenCalibrations(),
    moderator: null,
    now: () => new Date(0),
    onWarning: (message) => warnings.push(message),
  })
  for (const reply of replies) server.script(reply)
  let answer: Awaited<ReturnType<typeof answerOf>> | undefined
  for (let time = 0; time < times; time += 1) answer = await answerOf(agent, earlier)
  const requests = server.requests.slice(before)
  // Unused replies must not answer the next test.
  server.clear()
  return { ...answer, warnings, requests }
}

async function answerOf(agent: Awaited<ReturnType<typeof createAgent>>, earlier: ChatMessage[]) {
  const prompt: ChatMessage = { id: 'p', role: 'user', parts: [{ type: 'text', text: 'How are you?' }] }
  const builder = new MessageBuilder('a')
  let code: string | undefined
  let resets = 0
  try {
    for await (const part of agent.run({ messages: [...earlier, prompt], signal: new AbortController().signal })) {
      if (part.type === stepResetChunk.type) resets += 1
      builder.apply(part)
    }
  } catch (error) {
    if (!(error instanceof AgentFailure)) throw error
    code = error.code
  }
  const { parts } = builder.finished()
  const reasoning = parts.map((part) => (part.type === 'reasoning' ? part.text : '')).join('')
  return { text: textOf(builder.finished()), reasoning, code, resets }
}

describe.each(Object.entries(DIALECTS))('%s', (_group, dialects) => {
  test.each(Object.entries(dialects))('%s', async (_name, dialect) => {
    const { text = '', reasoning = '', code, sent = {}, requests, log } = dialect
    const outcome = await ask(dialect)
    expect({ text: outcome.text, reasoning: outcome.reasoning, code: outcome.code }).toEqual({ text, reasoning, code })
    const body = outcome.requests.at(-1)?.body
    expect(Object.fromEntries(Object.keys(sent).map((name) => [name, body?.[name]]))).toEqual(sent)
    expect(outcome.requests.length).toBe(requests ?? outcome.requests.length)
    const logged = outcome.warnings.map((warning) => (warning.includes(log ?? '') ? log : warning))
    expect(log === undefined || logged).toEqual(log === undefined || [log])
  })
})

test('remembers what an endpoint rejected for its model, and logs it once', async () => {
  const { requests, warnings } = await ask({ replies: [errorReply({ message: 'x', param: 'max_tokens' })] }, 3)
  expect(requests).toHaveLength(4)
  expect(requests.map(({ body }) => ['max_tokens', 'max_completion_tokens'].filter((name) => name in body))).toEqual([
    ['max_tokens'],
    ['max_completion_tokens'],
    ['max_completion_tokens'],
    ['max_completion_tokens'],
  ])
  expect(warnings).toHaveLength(1)
})

describe('a conversation that is too long', () => {
  const message = (role: 'user' | 'assistant', text: string): ChatMessage => ({ id: text, role, parts: [{ type: 'text', text }] })
  const earlier = [
    message('user', 'First '.repeat(100)),
    message('assistant', 'So '.repeat(100)),
    message('user', 'Then?'),
    message('assistant', 'Yes.'),
  ]
  const rejected = errorReply({ message: 'too much', code: 'context_length_exceeded' })
  const readBy = (requests: ScriptedModel['requests']) => requests.map(({ body }) => body.messages.slice(1).map(({ content }) => content))

  test('is retried once, shortened', async () => {
    const { text, code, requests, warnings } = await ask({ replies: [rejected] }, 1, earlier)
    expect([text, code]).toEqual([ANSWER, undefined])
    expect(readBy(requests)).toEqual([expect.arrayContaining(['Then?']), ['Then?', 'Yes.', 'How are you?']])
    expect(warnings).toEqual([expect.stringContaining('MODEL_WINDOW')])
  })

  test('is not retried twice', async () => {
    const { code, requests } = await ask({ replies: [rejected, rejected, rejected] }, 1, earlier)
    expect([code, requests.length]).toEqual(['context_too_long', 2])
  })

  test('is retried with shorter tool results if there is no history', async () => {
    const { text, requests } = await ask({ replies: [[{ toolCall: { name: 'read_book', arguments: {} } }], rejected] })
    expect([text, requests.length]).toEqual([ANSWER, 3])
    const [, before = '', after = ''] = requests.map(({ body }) => JSON.stringify(body.messages.filter(({ role }) => role === 'tool')))
    expect(after.length).toBeLessThan(before.length)
  })
})

test('a template that opens the reasoning is recognized from the second answer on', async () => {
  const { text, reasoning, resets } = await ask({ replies: [textReply('Hm.</think>One.'), textReply('Hm.', '</think>Two.')] }, 2)
  expect({ text, reasoning, resets }).toEqual({ text: 'Two.', reasoning: 'Hm.', resets: 0 })
})

test('a model that supports only the Responses API is called through it after the first rejection', async () => {
  const { requests, warnings, text } = await ask(
    { replies: [errorReply({ message: ONLY_RESPONSES }, 404), responses({ text: 'One.' }), responses({ text: 'Two.' })] },
    2,
  )
  expect(text).toBe('Two.')
  expect(requests.map(({ path }) => path)).toEqual(['/v1/chat/completions', '/v1/responses', '/v1/responses'])
  expect(requests.at(-1)?.headers.authorization).toBe('Bearer key')
  expect(warnings).toHaveLength(1)
})

test('a truncated answer of the Responses API is interrupted', async () => {
  const steps = [{ raw: partOf(responses({ text: 'Half an' })) }, { cut: true as const }]
  const { text, code } = await ask({ replies: [errorReply({ message: ONLY_RESPONSES }, 404), { steps }] })
  expect([text, code]).toEqual(['Half an', 'model_interrupted'])
})

/** The stream without its last event. */
function partOf(script: Script): string {
  const body = Array.isArray(script) ? '' : String(script.body)
  return body.slice(0, body.indexOf('event: response.completed'))
}

test('an agent sets the reasoning effort of its model', async () => {
  const { requests } = await ask({ replies: [], settings: { reasoningEffort: 'low' }, agent: { reasoningEffort: 'high' } })
  expect(requests[0]?.body['reasoning_effort']).toBe('high')
})
