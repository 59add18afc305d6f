import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createAnthropic } from '@ai-sdk/anthropic'
import type { LanguageModelV4, LanguageModelV4StreamPart } from '@ai-sdk/provider'
import { afterEach, expect, test } from 'vitest'
import { DEFAULT_LIMITS } from '../model-limits.ts'
import { createModelFetch, type StreamFailures } from './model-fetch.ts'
import { createModelRequest } from './model-request.ts'
import { withCauses } from '../with-causes.ts'

const limits = { ...DEFAULT_LIMITS, firstDataTimeoutMs: 10_000, idleTimeoutMs: 1_000, retryDelayMs: 1 }
const failures: StreamFailures = new WeakMap()
const fetch = createModelFetch({ limits, send: createModelRequest(limits), failures })

let server: Server | undefined
afterEach(() => {
  server?.closeAllConnections()
  server?.close()
})

/** A model that sends these lines and then closes the connection or leaves it open. */
async function sending(lines: string[], { isLeftOpen = false } = {}): Promise<string> {
  server = createServer((request, response) => {
    request.resume()
    response.writeHead(200, { 'content-type': 'text/event-stream' }).write(lines.join('\n'))
    if (!isLeftOpen) response.end()
  })
  await new Promise<void>((resolve) => server?.listen(0, '127.0.0.1', resolve))
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`
}

async function partsOf(model: LanguageModelV4): Promise<LanguageModelV4StreamPart[]> {
  const { stream } = await withCauses(model, failures, limits).doStream({
    prompt: [{ role: 'user', content: [{ type: 'text', text: 'hi' }] }],
  })
  return Array.fromAsync(stream)
}

const textOf = (parts: LanguageModelV4StreamPart[]) => parts.map((part) => (part.type === 'text-delta' ? part.delta : '')).join('')

const anthropicLines = (...texts: string[]) => [
  'event: message_start',
  'data: {"type":"message_start","message":{"id":"m","type":"message","role":"assistant","model":"claude","content":[],"stop_reason":null,"stop_sequence":null,"usage":{"input_tokens":1,"output_tokens":1}}}',
  '',
  'event: content_block_start',
  'data: {"type":"content_block_start","index":0,"content_block":{"type":"text","text":""}}',
  '',
  ...texts.flatMap((text) => [
    'event: content_block_delta',
    `data: {"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":${JSON.stringify(text)}}}`,
    '',
  ]),
]
const ANTHROPIC_END = [
  'event: content_block_stop',
  'data: {"type":"content_block_stop","index":0}',
  '',
  'event: message_delta',
  'data: {"type":"message_delta","delta":{"stop_reason":"end_turn","stop_sequence":null},"usage":{"output_tokens":2}}',
  '',
  'event: message_stop',
  'data: {"type":"message_stop"}',
  '',
  '',
]

test("reads Anthropic's stream, which ends at its last event though the connection stays open", async () => {
  const baseURL = await sending([...anthropicLines('Hello', ', world'), ...ANTHROPIC_END], { isLeftOpen: true })
  const parts = await partsOf(createAnthropic({ baseURL, apiKey: 'k', fetch })('claude'))
  expect(textOf(parts)).toBe('Hello, world')
  expect(parts.at(-1)).toMatchObject({ type: 'finish', finishReason: { unified: 'stop' } })
})

test("reports why Anthropic's stream broke, after all its text", async () => {
  const baseURL = await sending([...anthropicLines('Hello', ', wor')], { isLeftOpen: true })
  const parts = await partsOf(createAnthropic({ baseURL, apiKey: 'k', fetch })('claude'))
  expect(textOf(parts)).toBe('Hello, wor')
  expect(parts.find((part) => part.type === 'error')).toMatchObject({ error: { code: 'model_timeout' } })
})

test('rejects URLs that are not http', async () => {
  await expect(fetch('file:///etc/passwd')).rejects.toMatchObject({ code: 'model_unavailable' })
})
