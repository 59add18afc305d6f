import { crc32 } from 'node:zlib'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { ModelSettings } from '../../src/server/answering/agents/agent.ts'

/** Content of one model reply. */
export type OutputPart = { text: string } | { toolCall: { name: string; arguments: Record<string, unknown> } } | { error: string }

/** A provider's protocol as documented. */
export interface ProviderProtocol {
  settings: (baseUrl: string) => ModelSettings
  /** The path of streaming requests. */
  path: string
  contentType: string
  /** Header with the key, and its value. */
  authorization: [name: string, value: RegExp]
  /** One reply, in the pieces in which it is sent; the last one ends it. */
  reply: (output: OutputPart[]) => (string | Buffer)[]
  /** The body of an error reply. */
  refusal: (message: string) => unknown
}

const event = (data: unknown, name?: string) => `${name === undefined ? '' : `event: ${name}\n`}data: ${JSON.stringify(data)}\n\n`
const hasCall = (output: OutputPart[]) => output.some((item) => 'toolCall' in item)

/** https://ai.google.dev/api/generate-content#method:-models.streamgeneratecontent */
const google: ProviderProtocol = {
  settings: (baseUrl) => ({ kind: 'google', apiKey: 'key-of-google', model: 'gemini-2.5-flash', baseUrl }),
  path: '/models/gemini-2.5-flash:streamGenerateContent?alt=sse',
  contentType: 'text/event-stream',
  authorization: ['x-goog-api-key', /^key-of-google$/],
  reply: (output) => [
    ...output.map((item) => {
      if ('error' in item) return event({ error: { code: 503, message: item.error, status: 'UNAVAILABLE' } })
      const part = 'text' in item ? { text: item.text } : { functionCall: { name: item.toolCall.name, args: item.toolCall.arguments } }
      return event({ candidates: [{ content: { parts: [part], role: 'model' }, index: 0 }] })
    }),
    event({ candidates: [{ content: { parts: [{ text: '' }], role: 'model' }, index: 0 }] }),
    event({
      candidates: [{ content: { parts: [{ text: '' }], role: 'model' }, finishReason: 'STOP', index: 0 }],
      usageMetadata: { promptTokenCount: 11, candidatesTokenCount: 7, totalTokenCount: 18 },
    }),
  ],
  refusal: (message) => ({ error: { code: 503, message, status: 'UNAVAILABLE' } }),
}

/** https://docs.mistral.ai/api/#tag/chat, and OpenAI's chat completions, which Azure serves too. */
function chatReply(output: OutputPart[]): string[] {
  const head = { id: 'c', object: 'chat.completion.chunk', created: 1, model: 'm' }
  const chunk = (delta: object, finish_reason: string | null, more: object = {}) =>
    event({ ...head, choices: [{ index: 0, delta, finish_reason }], ...more })
  const usage = { prompt_tokens: 11, completion_tokens: 7, total_tokens: 18 }
  return [
    ...output.map((item) => {
      if ('error' in item) return event({ object: 'error', message: item.error, type: 'internal', error: { message: item.error } })
      if ('text' in item) return chunk({ role: 'assistant', content: item.text }, null)
      const { name, arguments: input } = item.toolCall
      const call = { index: 0, id: 'call00001', type: 'function', function: { name, arguments: JSON.stringify(input) } }
      return chunk({ role: 'assistant', content: '', tool_calls: [call] }, null)
    }),
    chunk({ content: '' }, hasCall(output) ? 'tool_calls' : 'stop', { usage }),
    'data: [DONE]\n\n',
  ]
}

const mistral: ProviderProtocol = {
  settings: (baseUrl) => ({ kind: 'mistral', apiKey: 'key-of-mistral', model: 'mistral-small-latest', baseUrl }),
  path: '/chat/completions',
  contentType: 'text/event-stream',
  authorization: ['authorization', /^Bearer key-of-mistral$/],
  reply: chatReply,
  refusal: (message) => ({ object: 'error', message, type: 'service_unavailable', param: null, code: '3505' }),
}

/** https://learn.microsoft.com/azure/ai-foundry/openai/latest */
const azure: ProviderProtocol = {
  settings: (baseUrl) => ({ kind: 'azure', apiKey: 'key-of-azure', model: 'gpt-4o-ours', baseUrl: new URL(baseUrl).origin }),
  path: '/openai/v1/chat/completions',
  contentType: 'text/event-stream',
  authorization: ['api-key', /^key-of-azure$/],
  reply: chatReply,
  refusal: (message) => ({ error: { code: 'NoCapacity', message } }),
}

/** Header type: string. */
const STRING = 7
/** Lengths and their checksum come before the headers; a checksum of everything after the payload. */
const PRELUDE_BYTES = 12
const CHECKSUM_BYTES = 4

/** A frame of AWS's event stream, https://docs.aws.amazon.com/transcribe/latest/dg/event-stream.html. */
function eventFrame(headers: Record<string, string>, payload: string): Buffer {
  const head = Buffer.concat(Object.entries(headers).map(([name, value]) => header(name, value)))
  const body = Buffer.from(payload)
  const frame = Buffer.alloc(PRELUDE_BYTES + head.length + body.length + CHECKSUM_BYTES)
  frame.writeUInt32BE(frame.length, 0)
  frame.writeUInt32BE(head.length, 4)
  frame.writeUInt32BE(crc32(frame.subarray(0, 8)), 8)
  head.copy(frame, PRELUDE_BYTES)
  body.copy(frame, PRELUDE_BYTES + head.length)
  frame.writeUInt32BE(crc32(frame.subarray(0, -CHECKSUM_BYTES)), frame.length - CHECKSUM_BYTES)
  return frame
}

function header(name: string, value: string): Buffer {
  const length = Buffer.alloc(2)
  length.writeUInt16BE(Buffer.byteLength(value))
  return Buffer.concat([Buffer.from([name.length]), Buffer.from(name), Buffer.from([STRING]), length, Buffer.from(value)])
}

const frame = (type: string, payload: unknown) =>
  eventFrame({ ':message-type': 'event', ':event-type': type, ':content-type': 'application/json' }, JSON.stringify(payload))

/** https://docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_ConverseStream.html */
const bedrock: ProviderProtocol = {
  settings: (baseUrl) => ({
    kind: 'bedrock',
    region: 'eu-central-1',
    credentials: { accessKeyId: 'AKIDPARLEY', secretAccessKey: 'secret-of-aws', sessionToken: 'session-of-aws' },
    model: 'eu.anthropic.claude-haiku-4-5-20251001-v1:0',
    baseUrl,
  }),
  path: '/model/eu.anthropic.claude-haiku-4-5-20251001-v1%3A0/converse-stream',
  contentType: 'application/vnd.amazon.eventstream',
  authorization: [
    'authorization',
    /^AWS4-HMAC-SHA256 Credential=AKIDPARLEY\/\d{8}\/eu-central-1\/bedrock\/aws4_request, SignedHeaders=[\w;-]*host[\w;-]*, Signature=[0-9a-f]{64}$/,
  ],
  reply: (output) => [
    frame('messageStart', { role: 'assistant' }),
    ...output.flatMap((item, contentBlockIndex) => {
      if ('error' in item)
        return [
          eventFrame(
            { ':message-type': 'exception', ':exception-type': 'modelStreamErrorException', ':content-type': 'application/json' },
            JSON.stringify({ message: item.error }),
          ),
        ]
      const stop = frame('contentBlockStop', { contentBlockIndex })
      if ('text' in item) return [frame('contentBlockDelta', { contentBlockIndex, delta: { text: item.text } }), stop]
      const { name, arguments: input } = item.toolCall
      return [
        frame('contentBlockStart', { contentBlockIndex, start: { toolUse: { toolUseId: 'tooluse_1', name } } }),
        frame('contentBlockDelta', { contentBlockIndex, delta: { toolUse: { input: JSON.stringify(input) } } }),
        stop,
      ]
    }),
    frame('messageStop', { stopReason: hasCall(output) ? 'tool_use' : 'end_turn' }),
    frame('metadata', { usage: { inputTokens: 11, outputTokens: 7, totalTokens: 18 }, metrics: { latencyMs: 1 } }),
  ],
  refusal: (message) => ({ message }),
}

/** https://docs.anthropic.com/en/docs/build-with-claude/streaming */
const anthropic: ProviderProtocol = {
  settings: (baseUrl) => ({ kind: 'anthropic', apiKey: 'key-of-anthropic', model: 'claude-haiku-4-5', baseUrl }),
  path: '/messages',
  contentType: 'text/event-stream',
  authorization: ['x-api-key', /^key-of-anthropic$/],
  reply: (output) => {
    const named = (data: { type: string; [key: string]: unknown }) => event(data, data.type)
    const message = { id: 'm', type: 'message', role: 'assistant', model: 'claude', content: [], stop_reason: null, stop_sequence: null }
    return [
      named({ type: 'message_start', message: { ...message, usage: { input_tokens: 11, output_tokens: 1 } } }),
      ...output.map((item, index) => {
        if ('error' in item) return named({ type: 'error', error: { type: 'overloaded_error', message: item.error } })
        const [content_block, delta] =
          'text' in item
            ? [
                { type: 'text', text: '' },
                { type: 'text_delta', text: item.text },
              ]
            : [
                { type: 'tool_use', id: 'toolu_1', name: item.toolCall.name, input: {} },
                { type: 'input_json_delta', partial_json: JSON.stringify(item.toolCall.arguments) },
              ]
        return [
          named({ type: 'content_block_start', index, content_block }),
          named({ type: 'content_block_delta', index, delta }),
          named({ type: 'content_block_stop', index }),
        ].join('')
      }),
      named({ type: 'message_delta', delta: { stop_reason: hasCall(output) ? 'tool_use' : 'end_turn' }, usage: { output_tokens: 7 } }),
      named({ type: 'message_stop' }),
    ]
  },
  refusal: (message) => ({ type: 'error', error: { type: 'overloaded_error', message } }),
}

export const PROTOCOLS: Record<string, ProviderProtocol> = { anthropic, google, mistral, azure, bedrock }

/** The reply to one request; `cut`: the connection breaks after these words. */
export type ProviderReply = { output: OutputPart[]; cut?: true } | { status: number; message: string; headers?: Record<string, string> }

export interface ProviderRequest {
  path: string
  headers: IncomingMessage['headers']
  body: string
}

/** A real HTTP server that speaks a provider's protocol and sends the replies in order. */
export async function startProvider(protocol: ProviderProtocol, replies: ProviderReply[]) {
  const requests: ProviderRequest[] = []
  const left = [...replies]
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const body = Buffer.concat(await Array.fromAsync(request as AsyncIterable<Buffer>)).toString('utf8')
    requests.push({ path: request.url ?? '', headers: request.headers, body })
    const reply = left.shift() ?? { status: 500, message: 'nothing left to say' }
    if ('status' in reply) {
      const headers = { 'content-type': 'application/json', ...reply.headers }
      return void response.writeHead(reply.status, headers).end(JSON.stringify(protocol.refusal(reply.message)))
    }
    response.writeHead(200, { 'content-type': protocol.contentType })
    const pieces = protocol.reply(reply.output)
    if (!reply.cut) return void response.end(Buffer.concat(pieces.map((piece) => Buffer.from(piece as string))))
    // Everything except the final piece.
    const item = pieces.slice(0, -2)
    response.write(Buffer.concat(item.map((piece) => Buffer.from(piece as string))), () => request.socket.destroy())
  }
  const server = createServer((request, response) => {
    answer(request, response).catch(() => response.destroy())
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    async close() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
