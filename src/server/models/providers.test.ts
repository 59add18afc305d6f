import { dynamicTool } from 'ai'
import { afterEach, describe, expect, test } from 'vitest'
import { NO_POLICY } from '../replies/policy.ts'
import { z } from 'zod'
import { filePath } from '../../contract/chat/files.ts'
import type { ChatMessage } from '../../contract/chat/message.ts'
import { MessageBuilder } from '../../contract/chat/message-builder.ts'
import { textOf } from '../../contract/chat/message-text.ts'
import { PROTOCOLS, type ProviderProtocol, type ProviderReply, startProvider } from '../../../test/support/provider-protocols.ts'
import { type AgentParts, AgentFailure, createAgent, type ModelChoice, type ModelSettings, type Tokens } from '../answering/agents/agent.ts'
import type { ReadFiles } from '../answering/attachments/with-attachments.ts'
import type { AgentDefinition } from '../answering/agents/definition/agent-definition.ts'
import { TokenCalibrations } from './tokens/token-calibration.ts'
import { OutputWithImages } from '../answering/tools/tool-images.ts'

const CANARY = 'canary-4711-of-the-provider'
const limits = { retryDelayMs: 1, mergeDeltasMs: 5, maxRetries: 1, maxInputTokens: 100_000, maxHistoryTokens: 20_000 }
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
const TOO_LONG: Record<string, string> = {
  anthropic: 'prompt is too long: 215000 tokens > 200000 maximum',
  google: 'The input token count (1200000) exceeds the maximum number of tokens allowed (1048576).',
  mistral: 'Prompt contains 40000 tokens and 0 draft tokens, too large for model with 32768 maximum context length',
  azure: "This model's maximum context length is 8192 tokens. However, your messages resulted in 9000 tokens.",
  bedrock: 'Input is too long for requested model.',
}

/** The reasoning effort in each provider's request, for an answer of at most 2,000 tokens. */
const THINKING: Record<string, Record<'none' | 'low' | 'high', object>> = {
  anthropic: {
    none: { max_tokens: 2_000, thinking: { type: 'disabled' } },
    low: { max_tokens: 2_000, thinking: { type: 'enabled', budget_tokens: 1_024 } },
    high: { max_tokens: 2_000, thinking: { type: 'enabled', budget_tokens: 1_400 } },
  },
  google: {
    none: { generationConfig: { maxOutputTokens: 2_000, thinkingConfig: { thinkingBudget: 0 } } },
    low: { generationConfig: { maxOutputTokens: 2_000, thinkingConfig: { thinkingBudget: 700 } } },
    high: { generationConfig: { maxOutputTokens: 2_000, thinkingConfig: { thinkingBudget: 1_400 } } },
  },
  mistral: {
    none: { max_tokens: 2_000, reasoning_effort: 'none' },
    low: { max_tokens: 2_000, reasoning_effort: 'high' },
    high: { max_tokens: 2_000, reasoning_effort: 'high' },
  },
  azure: {
    none: { max_completion_tokens: 2_000, reasoning_effort: 'none' },
    low: { max_completion_tokens: 2_000, reasoning_effort: 'low' },
    high: { max_completion_tokens: 2_000, reasoning_effort: 'high' },
  },
  bedrock: {
    none: { inferenceConfig: { maxTokens: 2_000 } },
    low: { inferenceConfig: { maxTokens: 2_000 }, additionalModelRequestFields: { thinking: { type: 'enabled', budget_tokens: 1_024 } } },
    high: { inferenceConfig: { maxTokens: 2_000 }, additionalModelRequestFields: { thinking: { type: 'enabled', budget_tokens: 1_400 } } },
  },
}
/** An id of a file, which ends in zeros. */
const idOf = (name: string) => `f_${name.padEnd(21, '0')}`

const PHOTO = Buffer.from('\x89PNG\r\n\x1a\n a cat', 'latin1').toString('base64')
const TAKE_PHOTO = dynamicTool({
  description: 'Takes a photo.',
  inputSchema: z.object({}),
  execute: async () => new OutputWithImages('A photo.', [{ mediaType: 'image/png', base64: PHOTO }]),
})

const prompt: ChatMessage = { id: 'p', role: 'user', parts: [{ type: 'text', text: 'How much is 6*7?' }] }

const closing: (() => Promise<void>)[] = []
afterEach(() => Promise.all(closing.splice(0).map((close) => close())))

async function ask(
  protocol: ProviderProtocol,
  replies: ProviderReply[],
  fallbackModel: ModelSettings | null = null,
  { messages = [prompt], readFiles }: { messages?: ChatMessage[]; readFiles?: ReadFiles } = {},
) {
  const provider = await startProvider(protocol, replies)
  closing.push(provider.close)
  const parts: AgentParts = {
    model: protocol.settings(provider.baseUrl),
    fallbackModel,
    local: null,
    installation: { name: 'Parley', retentionDays: 30, contact: null, storage: 'sqlite' },
    limits,
    startersOf: () => [],
    knowledge: {
      search: async () => ({ passages: [], topics: [], progress: null }),
      neighbours: async () => null,
      version: async () => '',
    },
    httpToolsOf: () => ({}),
    mcpToolsOf: ({ length }) => (length > 0 ? { take_photo: TAKE_PHOTO } : {}),
    calibrations: new TokenCalibrations(),
    moderator: null,
    now: () => new Date(0),
    onWarning: () => {},
  }
  const agent = await createAgent(definition, null, parts)
  const builder = new MessageBuilder('a')
  const chunks: unknown[] = []
  const used: [ModelChoice, Tokens][] = []
  let failure: AgentFailure | undefined
  try {
    const onUsage = (usage: Tokens, by: ModelChoice) => used.push([by, usage])
    for await (const chunk of agent.run({ messages, readFiles, signal: new AbortController().signal, onUsage })) {
      builder.apply(chunk)
      chunks.push(chunk)
    }
  } catch (error) {
    if (!(error instanceof AgentFailure)) throw error
    failure = error
  }
  const message = builder.finished()
  return { message, text: textOf(message), chunks: JSON.stringify(chunks), used, failure, requests: provider.requests }
}

describe.each(Object.entries(PROTOCOLS))('%s', (provider, protocol) => {
  test('runs a tool and answers from its result', async () => {
    const { text, message, used, failure, requests } = await ask(protocol, [
      { output: [{ text: 'A moment. ' }, { toolCall: { name: 'calculator', arguments: { expression: '6*7' } } }] },
      { output: [{ text: 'It is ' }, { text: '42.' }] },
    ])
    expect([failure, text]).toEqual([undefined, 'A moment. It is 42.'])
    expect(message.parts.find((part) => part.type === 'tool-calculator')).toMatchObject({ output: { result: 42 } })
    expect(used).toEqual([['primary', { inputTokens: 22, outputTokens: 14 }]])
    const [header, value] = protocol.authorization
    for (const { path, headers } of requests) expect([path, headers[header]]).toEqual([protocol.path, expect.stringMatching(value)])
    expect(requests[0]?.body).toContain('Be kind.')
    expect(requests[1]?.body).toContain('42')
  })

  test.each(['none', 'low', 'high'] as const)(
    'is asked to reason with the effort %s, within the tokens of the answer',
    async (reasoningEffort) => {
      const { failure, requests } = await ask(
        { ...protocol, settings: (url) => ({ ...protocol.settings(url), reasoningEffort }) as ModelSettings },
        [{ output: [{ text: 'Yes.' }] }],
      )
      expect(failure).toBeUndefined()
      expect(JSON.parse(requests[0]?.body ?? '')).toMatchObject(THINKING[provider]?.[reasoningEffort] ?? {})
    },
  )

  test('is called without tools when it rejects them', async () => {
    const { text, requests } = await ask(protocol, [
      { status: 400, message: "This model doesn't support tool use in streaming mode." },
      { output: [{ text: 'Yes.' }] },
    ])
    expect(text).toBe('Yes.')
    expect(requests.map(({ body }) => body.includes('Takes a photo.'))).toEqual([true, false])
  })

  test('is asked again when its stream begins with an error that may pass', async () => {
    const { text, requests } = await ask(protocol, [{ output: [{ error: CANARY }] }, { output: [{ text: 'Yes.' }] }])
    expect([text, requests.length]).toEqual(['Yes.', 2])
  })

  test('goes on with a chat whose tool calls another provider numbered', async () => {
    const id = 'functions.calculator:0'
    const call = {
      type: 'tool-calculator',
      toolCallId: id,
      state: 'output-available',
      input: { expression: '6*7' },
      output: { result: 42 },
    }
    const parts = [{ type: 'step-start' }, call, { type: 'step-start' }, { type: 'text', text: 'It is 42.' }] as ChatMessage['parts']
    const messages: ChatMessage[] = [prompt, { id: 'a', role: 'assistant', parts }, prompt]
    const { text, requests } = await ask(protocol, [{ output: [{ text: 'Yes.' }] }], null, { messages })
    const body = requests[0]?.body ?? ''
    const ids = [...body.matchAll(/"(?:id|tool_call_id|tool_use_id|toolUseId)":"([^"]+)"/g)].map((match) => match[1])
    expect([text, body.includes(id), body.includes('6*7')]).toEqual(['Yes.', false, true])
    expect(new Set(ids).size).toBeLessThanOrEqual(1)
    for (const one of ids) expect(one).toMatch(/^[A-Za-z0-9]{9}$/)
  })

  test('keeps the instructions and the chat before the prompt for later requests, where it must be told to', async () => {
    const answer: ChatMessage = { id: 'a', role: 'assistant', parts: [{ type: 'text', text: 'I see.' }] }
    const { requests } = await ask(protocol, [{ output: [{ text: 'Yes.' }] }], null, { messages: [prompt, answer, prompt] })
    const { system, messages = [] } = JSON.parse(requests[0]?.body ?? '') as { system?: unknown; messages?: unknown[] }
    const marked = [system, ...messages].map((part) =>
      /"cache_control":\{"type":"ephemeral"\}|"cachePoint":/.test(JSON.stringify(part ?? null)),
    )
    const marks = provider === 'anthropic' || provider === 'bedrock' ? [true, false, true, false] : marked.map(() => false)
    expect(marked).toEqual(marks)
  })

  test('reports a prompt that is too long as such', async () => {
    const { failure, chunks } = await ask(protocol, [{ status: 400, message: TOO_LONG[provider] ?? '' }])
    expect(failure?.code).toBe('context_too_long')
    expect([failure?.message.includes(TOO_LONG[provider] ?? '-'), chunks.includes('oo l')]).toEqual([true, false])
  })

  test('gets images of tool results if it accepts them; other models do not', async () => {
    const { text, chunks, requests } = await ask(protocol, [
      { output: [{ toolCall: { name: 'take_photo', arguments: {} } }] },
      { output: [{ text: 'A cat.' }] },
    ])
    expect(text).toBe('A cat.')
    const timesRead = (requests[1]?.body ?? '').split(PHOTO).length - 1
    expect([timesRead, requests[1]?.body.includes('A photo.')]).toEqual([provider === 'mistral' ? 0 : 1, true])
    expect(chunks).not.toContain(PHOTO)
  })

  test('gets the newest images, the start of earlier texts, and descriptions of the rest', async () => {
    const file = (id: string): ChatMessage['parts'][number] => ({ type: 'file', mediaType: 'x/y', filename: id, url: filePath(idOf(id)) })
    const question = (text: string, ...ids: string[]): ChatMessage => ({
      id: text,
      role: 'user',
      parts: [...ids.map(file), { type: 'text', text }],
    })
    const answer: ChatMessage = { id: 'a', role: 'assistant', parts: [{ type: 'text', text: 'I see.' }] }
    const readFiles: ReadFiles = async (ids) =>
      new Map(
        ids.flatMap((id) => {
          const name = id.slice(2).replaceAll('0', '')
          if (name === 'gone') return []
          const text = name.startsWith('text') ? `${name} `.repeat(2_000) : null
          return [[id, { name, mediaType: text === null ? 'image/png' : 'text/plain', content: Buffer.from(name), text }]]
        }),
      )
    const messages = [question('First', 'pic1', 'pic2', 'text1'), answer, question('Then', 'pic3', 'pic4', 'pic5', 'text2', 'gone')]
    const { requests, text } = await ask(protocol, [{ output: [{ text: 'Yes.' }] }], null, { messages, readFiles })
    const body = requests[0]?.body ?? ''
    const seen = ['pic1', 'pic2', 'pic3', 'pic4', 'pic5'].filter((name) => body.includes(Buffer.from(name).toString('base64')))
    expect([text, seen]).toEqual(['Yes.', ['pic2', 'pic3', 'pic4', 'pic5']])
    const timesOf = (words: string) => body.split(words).length - 1
    // 4,000 characters of the earlier text and all of the newest. The rest is named.
    expect([timesOf('text1 '), timesOf('text2 ')]).toEqual([666, 2_000])
    expect([timesOf('pic1'), body.includes('not there any more')]).toEqual([1, true])
  })

  test.each<[string, ProviderReply[], string, string]>([
    ['rejects the request', [{ status: 400, message: CANARY }], 'model_unavailable', ''],
    ['is overloaded', [{ status: 429, message: CANARY, headers: { 'retry-after': '60' } }], 'model_busy', ''],
    [
      'fails twice',
      [
        { status: 500, message: CANARY },
        { status: 500, message: CANARY },
      ],
      'model_unavailable',
      '',
    ],
    ['fails in the middle', [{ output: [{ text: 'Some words' }, { error: CANARY }] }], 'model_failed', 'Some words'],
    ['is cut off', [{ output: [{ text: 'Some words' }], cut: true }], 'model_interrupted', 'Some words'],
  ])('reports errors only to the log when it %s', async (_how, replies, code, expected) => {
    const { failure, text, chunks } = await ask(protocol, replies)
    expect([failure?.code, text]).toEqual([code, expected])
    // Chunks are for the page, the failure is for the log.
    expect(chunks).not.toContain(CANARY)
    expect(failure?.message).toContain(code === 'model_interrupted' ? 'closed before the end' : CANARY)
  })
})

describe('a second model', () => {
  const { anthropic, google } = PROTOCOLS as { anthropic: ProviderProtocol; google: ProviderProtocol }

  async function askBoth(primary: ProviderReply[], other: ProviderReply[]) {
    const second = await startProvider(google, other)
    closing.push(second.close)
    const answer = await ask(anthropic, primary, google.settings(second.baseUrl))
    return { ...answer, requestCounts: [answer.requests.length, second.requests.length] }
  }

  test.each<[string, ProviderReply[]]>([
    ['is overloaded', [{ status: 429, message: CANARY, headers: { 'retry-after': '60' } }]],
    [
      'fails twice',
      [
        { status: 500, message: CANARY },
        { status: 529, message: CANARY },
      ],
    ],
    ['does not know its key', [{ status: 401, message: CANARY }]],
    ['reports an error before its first word, twice', [{ output: [{ error: CANARY }] }, { output: [{ error: CANARY }] }]],
    ['is cut off before its first word', [{ output: [], cut: true }]],
  ])('answers, and is named as the fallback, when the primary one %s', async (_, primary) => {
    const { text, message, used, failure, chunks, requestCounts } = await askBoth(primary, [{ output: [{ text: 'Here I am.' }] }])
    expect([failure, text]).toEqual([undefined, 'Here I am.'])
    expect(message.metadata).toMatchObject({ model: 'gemini-2.5-flash', isFallback: true })
    expect(message.parts.filter((part) => part.type === 'step-start')).toHaveLength(1)
    expect(used).toEqual([['fallback', { inputTokens: 11, outputTokens: 7 }]])
    expect([chunks.includes(CANARY), requestCounts]).toEqual([false, [primary.length, 1]])
  })

  test('is not used when a retry of the primary one succeeds', async () => {
    const { text, requestCounts } = await askBoth(
      [{ status: 429, message: CANARY, headers: { 'retry-after': '0' } }, { output: [{ text: 'Yes.' }] }],
      [],
    )
    expect([text, requestCounts]).toEqual(['Yes.', [2, 0]])
  })

  test('is not used after text was shown', async () => {
    const { text, failure, used, requestCounts } = await askBoth([{ output: [{ text: 'Some words' }, { error: CANARY }] }], [])
    expect([text, failure?.code, requestCounts]).toEqual(['Some words', 'model_failed', [1, 0]])
    expect(used.map(([by]) => by)).toEqual(['primary'])
  })

  test('that fails too reports the first failure', async () => {
    const { failure, text } = await askBoth(
      [{ status: 429, message: CANARY, headers: { 'retry-after': '60' } }],
      [{ status: 400, message: CANARY }],
    )
    expect([failure?.code, failure?.retryAfterS, text]).toEqual(['model_busy', 60, ''])
  })

  test('can be the built-in one, whose usage is not counted', async () => {
    const { text, message, failure } = await ask(anthropic, [{ status: 400, message: CANARY }], { kind: 'builtin' })
    expect([failure, message.metadata?.model]).toEqual([undefined, 'Built-in assistant'])
    expect(text).toContain('42')
  })
})
