import type { LanguageModelV4CallOptions, LanguageModelV4StreamPart } from '@ai-sdk/provider'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Script, type ScriptedModel, startScriptedModel } from '../../../../test/support/scripted-model.ts'
import { DEFAULT_LIMITS, type ModelLimits } from '../model-limits.ts'
import { createModelRequest } from '../requests/model-request.ts'
import { chatRequest } from './openai-chat-model.ts'
import { openAiChatModel } from './openai-chat-model.ts'

const PROMPT: LanguageModelV4CallOptions['prompt'] = [{ role: 'user', content: [{ type: 'text', text: 'hi' }] }]
const tool = (name: string) => ({ type: 'function' as const, name, description: 'd', inputSchema: { type: 'object' as const } })
const TOOLS: LanguageModelV4CallOptions['tools'] = [tool('f')]

let server: ScriptedModel
beforeAll(async () => {
  server = await startScriptedModel()
})
afterAll(() => server.close())

function modelOf(more: Partial<ModelLimits> = {}): ReturnType<typeof openAiChatModel> {
  const limits = { ...DEFAULT_LIMITS, firstDataTimeoutMs: 2_000, retryDelayMs: 1, ...more }
  const settings = { baseUrl: `${server.baseUrl}/`, apiKey: 'key', model: 'm' }
  return openAiChatModel({ ...settings, limits, send: createModelRequest(limits) })
}

/** The parts of a reply to one script, without the common first ones. */
async function partsOf(
  script: Script,
  limits?: Partial<ModelLimits>,
  tools: LanguageModelV4CallOptions['tools'] = TOOLS,
): Promise<LanguageModelV4StreamPart[]> {
  server.script(script)
  const { stream } = await modelOf(limits).doStream({ prompt: PROMPT, ...(tools && { tools }) })
  const [first, ...parts] = await Array.fromAsync(stream)
  expect(first).toEqual({ type: 'stream-start', warnings: [] })
  return parts
}

const event = (delta: object, more: object = {}) => ({
  raw: `data: ${JSON.stringify({ choices: [{ index: 0, delta, finish_reason: null }], ...more })}\n\n`,
})
const calling = (...deltas: object[]) => deltas.map((delta) => event({ tool_calls: [delta] }))
const textOf = (parts: LanguageModelV4StreamPart[]) => parts.map((part) => (part.type === 'text-delta' ? part.delta : '')).join('')

test('emits reasoning and text as consecutive blocks, then the finish reason and usage', async () => {
  const usage = {
    prompt_tokens: 10,
    completion_tokens: 7,
    prompt_tokens_details: { cached_tokens: 4 },
    completion_tokens_details: { reasoning_tokens: 2 },
  }
  const parts = await partsOf([
    event({ role: 'assistant', content: '' }),
    event({ reasoning: 'Hm' }),
    event({ content: 'Yes' }),
    { raw: `data: ${JSON.stringify({ choices: [{ delta: {}, finish_reason: 'length' }] })}\n\n` },
    { raw: `data: ${JSON.stringify({ choices: [], usage })}\n\ndata: [DONE]\n\n` },
  ])
  expect(parts).toEqual([
    { type: 'reasoning-start', id: 'reasoning' },
    { type: 'reasoning-delta', id: 'reasoning', delta: 'Hm' },
    { type: 'reasoning-end', id: 'reasoning' },
    { type: 'text-start', id: 'text' },
    { type: 'text-delta', id: 'text', delta: 'Yes' },
    { type: 'text-end', id: 'text' },
    {
      type: 'finish',
      finishReason: { unified: 'length', raw: 'length' },
      usage: {
        inputTokens: { total: 10, noCache: 6, cacheRead: 4, cacheWrite: undefined },
        outputTokens: { total: 7, text: 5, reasoning: 2 },
        raw: usage,
      },
    },
  ])
})

test.each<[string, object, object]>([
  ['reasoning_content', { reasoning_content: 'a' }, { type: 'reasoning-delta', delta: 'a' }],
  ['text in parts', { content: [{ type: 'text', text: 'a' }] }, { type: 'text-delta', delta: 'a' }],
  [
    'thinking in parts',
    { content: [{ type: 'thinking', thinking: [{ type: 'text', text: 'a' }] }] },
    { type: 'reasoning-delta', delta: 'a' },
  ],
  ['a refusal', { content: null, refusal: 'No.' }, { type: 'text-delta', delta: 'No.' }],
  ['nulls', { content: 'a', refusal: null, reasoning: null, tool_calls: null }, { type: 'text-delta', delta: 'a' }],
])('reads %s', async (_, delta, expected) => {
  expect(await partsOf([event(delta, { usage: null, error: null })])).toContainEqual(expect.objectContaining(expected))
})

test('emits a long answer word by word, the first one at once', async () => {
  const words = Array.from({ length: 2_000 }, (_, index) => `word${index} "\\ \u{1F600} `)
  const parts = await partsOf([{ text: words }])
  expect(textOf(parts)).toBe(words.join(''))
  expect(parts.find((part) => part.type === 'text-delta')).toMatchObject({ delta: words[0] })
})

test('reads events that end their lines with CRLF or have several lines of data', async () => {
  const raw = ': hi\r\n\r\nevent: message\r\ndata: {"choices":[{"delta":\r\ndata: {"content":"grüße \u{1F600}"}}]}\r\n\r\n'
  expect(textOf(await partsOf([{ raw }]))).toBe('grüße \u{1F600}')
})

describe('tool calls', () => {
  const begun = (name: string, args: string, more: object = {}) => ({ index: 0, id: 'a', function: { name, arguments: args }, ...more })
  const goesOn = (args: string, more: object = {}) => ({ index: 0, function: { arguments: args }, ...more })

  test.each<[string, object[], [name: string, input: string][]]>([
    ['in pieces', [begun('f', ''), goesOn('{"x"'), goesOn(':1}')], [['f', '{"x":1}']]],
    ['whole', [begun('f', '{"x":1}')], [['f', '{"x":1}']]],
    [
      'two, in turns',
      [begun('f', '{"x"'), begun('g', '{', { index: 1, id: 'b' }), goesOn(':1}'), goesOn('}', { index: 1 })],
      [
        ['f', '{"x":1}'],
        ['g', '{}'],
      ],
    ],
    [
      'two of one tool under one index',
      [begun('f', '{"x":1}'), begun('f', '{"x":2}', { id: 'b' })],
      [
        ['f', '{"x":1}'],
        ['f', '{"x":2}'],
      ],
    ],
    [
      'two under one index, in pieces',
      [begun('f', ''), goesOn('{}'), begun('f', '', { id: 'b' }), goesOn('{"y":1}')],
      [
        ['f', '{}'],
        ['f', '{"y":1}'],
      ],
    ],
    [
      'without an index',
      [begun('f', '{"x"', { index: undefined }), { function: { arguments: ':1}' } }, begun('g', '{}', { index: undefined, id: 'b' })],
      [
        ['f', '{"x":1}'],
        ['g', '{}'],
      ],
    ],
    ['with the name and the id repeated', [begun('f', '{"x"'), begun('f', ':1}')], [['f', '{"x":1}']]],
    ['with another id in each piece', [begun('f', '{"x"'), goesOn(':1}', { id: 'b' })], [['f', '{"x":1}']]],
    ['with the name after the id', [{ index: 0, id: 'a' }, begun('f', '{}')], [['f', '{}']]],
    ['with arguments that are an object', [{ index: 0, id: 'a', function: { name: 'f', arguments: { x: 1 } } }], [['f', '{"x":1}']]],
    ['with a namespace', [begun('functions.f', '{}')], [['f', '{}']]],
    ['with the channel of the harmony format', [begun('f<|channel|>commentary', '{}')], [['f', '{}']]],
    ['with a number, as Kimi does', [begun('functions.g:0', '{}')], [['g', '{}']]],
    ['of a tool that was not offered', [begun('browser.open', '{}')], [['browser.open', '{}']]],
    ['without arguments', [{ index: 0, id: 'a', type: 'function', function: { name: 'f' } }], [['f', '']]],
  ])('%s', async (_, deltas, expected) => {
    const parts = await partsOf(calling(...deltas), {}, [tool('f'), tool('g')])
    const calls = parts.filter((part) => part.type === 'tool-call')
    expect(calls.map(({ toolName, input }) => [toolName, input])).toEqual(expected)
    const started = parts.filter((part) => part.type === 'tool-input-start')
    expect(started.map(({ id, toolName }) => [id, toolName])).toEqual(calls.map(({ toolCallId, toolName }) => [toolCallId, toolName]))
  })

  test('may have the form of a single function', async () => {
    const parts = await partsOf(
      ['{"x"', ':1}'].map((text, at) => event({ function_call: { ...(at === 0 && { name: 'f' }), arguments: text } })),
    )
    expect(parts).toContainEqual(expect.objectContaining({ type: 'tool-call', toolName: 'f', input: '{"x":1}' }))
  })

  test('get ids of nine letters and digits, which every provider accepts', async () => {
    const parts = await partsOf(calling(begun('f', '{}', { id: '' }), begun('g', '{}', { index: 1 }), begun('h', '{}', { index: 2 })))
    const ids = parts.flatMap((part) => (part.type === 'tool-call' ? [part.toolCallId] : []))
    expect(new Set(ids).size).toBe(3)
    for (const id of ids) expect(id).toMatch(/^[A-Za-z0-9]{9}$/)
  })

  test('without a name fail', async () => {
    expect(await partsOf(calling({ index: 0, id: 'a', function: { arguments: '{}' } }))).toContainEqual(
      expect.objectContaining({ type: 'error', error: expect.objectContaining({ code: 'model_failed' }) }),
    )
  })

  test("are sent back with the provider's extra data", async () => {
    const extra = { google: { thought_signature: 's' } }
    const parts = await partsOf(calling(begun('f', '{}', { extra_content: extra })))
    const call = parts.find((part) => part.type === 'tool-call')
    const { toolCallId = '', providerMetadata } = call ?? {}
    const content = {
      type: 'tool-call' as const,
      toolCallId,
      toolName: 'f',
      input: {},
      ...(providerMetadata && { providerOptions: providerMetadata }),
    }
    const body = chatRequest({ model: 'm' }, { prompt: [{ role: 'assistant', content: [content] }] })
    expect(body['messages']).toMatchObject([{ tool_calls: [{ id: toolCallId, extra_content: extra }] }])
  })
})

describe('failures', () => {
  test.each<[string, Script, string, Partial<ModelLimits>?]>([
    ['silence', [event({ content: 'Some' }), { silence: true }], 'model_timeout', { idleTimeoutMs: 100 }],
    ['an event that is no object', [event({ content: 'Some' }), { raw: 'data: [1]\n\n' }], 'model_failed'],
    ['choices that are no list', [event({ content: 'Some' }), { raw: 'data: {"choices":{}}\n\n' }], 'model_failed'],
    ['tool calls that are no list', [event({ content: 'Some', tool_calls: {} })], 'model_failed'],
    ['an error instead of a choice', [event({ content: 'Some' }), { raw: 'data: {"error":{"message":"no"}}\n\n' }], 'model_failed'],
    ['a stream without an end', [event({ content: 'Some' }), { raw: Buffer.alloc(0) }, { cut: true }], 'model_interrupted'],
    ['nothing but [DONE]', [{ raw: 'data: [DONE]\n\n' }], 'model_failed'],
    ['a stream that is too long', [event({ content: 'Some' }), { endless: 'x'.repeat(500) }], 'answer_too_long', { maxStreamBytes: 5_000 }],
  ])('%s ends the stream with one error part and its code', async (_, script, code, limits) => {
    const parts = await partsOf(script, limits)
    expect(parts.at(-1)).toMatchObject({ type: 'error', error: { code } })
    expect(parts.filter((part) => part.type === 'error' || part.type === 'finish')).toHaveLength(1)
  })

  test('a status rejects the call', async () => {
    server.script({ status: 401 })
    await expect(modelOf().doStream({ prompt: PROMPT })).rejects.toMatchObject({ code: 'model_unavailable' })
  })

  test('logs an error reported by the model in the model’s words', async () => {
    const reported = { error: { type: 'odd_error', message: 'Refused by sk-secret4711' } }
    const parts = await partsOf([{ raw: `data: ${JSON.stringify(reported)}\n\n` }])
    const { message } = (parts.at(-1) as { error: Error }).error
    expect(message).toBe('The model reported an error in its stream: type odd_error: "Refused by […]".')
  })

  test.each([
    ['before the reply', { delayMs: 60_000, steps: [] }],
    ['in the middle', [event({ content: 'Some' }), { silence: true as const }]],
  ])('an abort ends the call with its reason, %s', async (_, script) => {
    server.script(script)
    const count = server.requests.length
    const stopping = new AbortController()
    const reading = modelOf()
      .doStream({ prompt: PROMPT, abortSignal: stopping.signal })
      .then(({ stream }) => Array.fromAsync(stream))
    const request = await arrived(count)
    stopping.abort(new Error('stopped'))
    await expect(reading).rejects.toThrow('stopped')
    expect(await request?.ended).toBe(true)
  })

  test('cancelling the stream ends the request', async () => {
    server.script([event({ content: 'Some' }), { silence: true }])
    const count = server.requests.length
    const { stream } = await modelOf().doStream({ prompt: PROMPT })
    const request = await arrived(count)
    await stream.cancel()
    expect(await request?.ended).toBe(true)
  })
})

/** The request after the first `count`, once the server has it. */
async function arrived(count: number) {
  await expect.poll(() => server.requests.length).toBeGreaterThan(count)
  return server.requests[count]
}

describe('the request', () => {
  test('asks for a stream with usage and carries the key', async () => {
    await partsOf([{ text: 'ok' }], {}, [])
    const request = server.requests.at(-1)
    expect(request?.headers).toMatchObject({
      authorization: 'Bearer key',
      'content-type': 'application/json',
      'accept-encoding': 'identity',
    })
    expect(request?.body).toEqual({
      model: 'm',
      messages: [{ role: 'user', content: 'hi' }],
      stream: true,
      stream_options: { include_usage: true },
    })
  })

  test('converts calls and results to the protocol', () => {
    const body = chatRequest(
      { model: 'm' },
      {
        prompt: [
          { role: 'system', content: 's' },
          { role: 'user', content: ['a', 'b'].map((text) => ({ type: 'text', text })) },
          {
            role: 'assistant',
            content: [
              { type: 'reasoning', text: 'because' },
              { type: 'tool-call', toolCallId: '1', toolName: 'f', input: { x: 1 } },
              { type: 'tool-call', toolCallId: '2', toolName: 'f', input: '{"x"' },
            ],
          },
          {
            role: 'tool',
            content: [
              { type: 'tool-result', toolCallId: '1', toolName: 'f', output: { type: 'json', value: { y: 2 } } },
              { type: 'tool-result', toolCallId: '2', toolName: 'f', output: { type: 'error-text', value: 'no JSON' } },
            ],
          },
          { role: 'assistant', content: [{ type: 'text', text: 'two' }] },
        ],
      },
    )
    const call = (id: string, text: string) => ({ id, type: 'function', function: { name: 'f', arguments: text } })
    expect(body['messages']).toEqual([
      { role: 'system', content: 's' },
      { role: 'user', content: 'a\n\nb' },
      { role: 'assistant', content: null, reasoning_content: 'because', tool_calls: [call('1', '{"x":1}'), call('2', '"{\\"x\\""')] },
      { role: 'tool', tool_call_id: '1', content: '{"y":2}' },
      { role: 'tool', tool_call_id: '2', content: 'no JSON' },
      { role: 'assistant', content: 'two' },
    ])
  })

  test('sends images and rejects other files', () => {
    const content = (mediaType: string, data: string | Uint8Array) => [
      { type: 'file' as const, mediaType, data: { type: 'data' as const, data } },
    ]
    const requestOf = (of: ReturnType<typeof content>) => chatRequest({ model: 'm' }, { prompt: [{ role: 'user', content: of }] })
    for (const data of ['AA==', new Uint8Array(1)]) {
      const image = { type: 'image_url', image_url: { url: 'data:image/png;base64,AA==' } }
      expect(requestOf(content('image/png', data))['messages']).toEqual([{ role: 'user', content: [image] }])
    }
    expect(() => requestOf(content('application/pdf', 'AA=='))).toThrow('application/pdf in a prompt')
  })

  test.each<[LanguageModelV4CallOptions['toolChoice'], unknown]>([
    [{ type: 'auto' }, 'auto'],
    [{ type: 'none' }, 'none'],
    [{ type: 'required' }, 'required'],
    [
      { type: 'tool', toolName: 'f' },
      { type: 'function', function: { name: 'f' } },
    ],
    [undefined, undefined],
  ])('offers tools, with the choice %o', (toolChoice, expected) => {
    const body = chatRequest({ model: 'm' }, { prompt: PROMPT, tools: TOOLS, ...(toolChoice && { toolChoice }) })
    expect(body['tools']).toEqual([{ type: 'function', function: { name: 'f', description: 'd', parameters: { type: 'object' } } }])
    expect(body['tool_choice']).toEqual(expected)
  })

  test("follows OpenAI's own rules on OpenAI’s endpoint only", () => {
    const options = { prompt: PROMPT, maxOutputTokens: 9, tools: TOOLS }
    expect(chatRequest({ model: 'gpt-5.6' }, options)).toMatchObject({ reasoning_effort: undefined })
    const body = chatRequest({ model: 'gpt-5.6-sol', isOpenAi: true }, options)
    expect(body).toMatchObject({ max_completion_tokens: 9, reasoning_effort: 'none' })
    expect(body).not.toHaveProperty('max_tokens')
    expect(chatRequest({ model: 'gpt-5.6', isOpenAi: true }, { prompt: PROMPT })).toMatchObject({ reasoning_effort: undefined })
    expect(chatRequest({ model: 'gpt-5-mini', isOpenAi: true }, options)).toMatchObject({ reasoning_effort: undefined })
  })

  test.each<[string, 'max_tokens' | 'max_completion_tokens']>([
    ['gpt-5-mini', 'max_completion_tokens'],
    ['openai/gpt-5.2', 'max_completion_tokens'],
    ['o3', 'max_completion_tokens'],
    ['o4-mini', 'max_completion_tokens'],
    ['gpt-4o', 'max_tokens'],
    ['gpt-oss-20b', 'max_tokens'],
    ['openai/gpt-oss:120b', 'max_tokens'],
    ['olmo-2', 'max_tokens'],
    ['qwen3:8b', 'max_tokens'],
  ])('behind a gateway, sends %s its token limit as %s', (model, name) => {
    const body = chatRequest({ model }, { prompt: PROMPT, maxOutputTokens: 9 })
    expect([body['max_tokens'], body['max_completion_tokens']]).toEqual(name === 'max_tokens' ? [9, undefined] : [undefined, 9])
  })

  test('sets the reasoning effort', () => {
    expect(chatRequest({ model: 'gpt-5.6', isOpenAi: true, reasoningEffort: 'low' }, { prompt: PROMPT, tools: TOOLS })).toMatchObject({
      reasoning_effort: 'low',
    })
  })
})
