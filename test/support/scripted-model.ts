import { once } from 'node:events'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { parseArgs } from 'node:util'

/** A step of a scripted reply. Steps run in order; a normal end is added unless a step has ended the reply. */
export type ScriptStep =
  /** Text, split into tokens (words with the preceding space, or pieces as given), sent at `tokensPerSecond`, or all at once without it. */
  | { text: string | string[]; tokensPerSecond?: number }
  | { reasoning: string | string[] }
  | { toolCall: { name: string; arguments: string | Record<string, unknown>; id?: string } }
  | { pauseMs: number }
  /** Waits until the promise settles or the client disconnects. */
  | { until: Promise<unknown> }
  /** Sends only comments, one every `everyMs`, until the client disconnects. */
  | { keepAlive: { everyMs: number } }
  /** Sends nothing more until the client disconnects. */
  | { silence: true }
  /** Raw bytes, such as a broken event or an unterminated line. */
  | { raw: string | Buffer }
  /** An unterminated line of this many bytes. */
  | { longLine: number }
  /** Cuts the connection without an end. */
  | { cut: true }
  /** `finish_reason` other than the usual one. */
  | { finish: string }
  /** Sends `[DONE]` after a finish, and leaves the connection open. */
  | { doneLeftOpen: true }
  /** Repeats the same token until the client disconnects. */
  | { endless: string; tokensPerSecond?: number }

/** A reply instead of a stream: another status, other headers, another body. */
export interface ScriptReply {
  status?: number
  headers?: Record<string, string>
  body?: string | Buffer
  /** Delay before the headers. */
  delayMs?: number
  steps?: ScriptStep[]
}

export type Script = ScriptReply | ScriptStep[]

export interface ChatRequest {
  model: string
  stream?: boolean
  messages: { role: string; content: unknown; tool_calls?: unknown }[]
  /** Replaces `messages` in the Responses API. */
  input?: { role?: string; type?: string; content?: unknown; output?: unknown }[]
  tools?: { function: { name: string } }[]
  tool_choice?: unknown
  [key: string]: unknown
}

export interface RecordedRequest {
  path: string
  headers: IncomingMessage['headers']
  body: ChatRequest
  /** Text of the last user message. */
  prompt: string
  /** Resolves when the reply is complete or its connection is closed; true if the client disconnected before the end. */
  ended: Promise<boolean>
}

/** The reply to a request: a script, or a function of the request; undefined passes it on to the next one. */
export type ScriptChoice = Script | ((request: RecordedRequest) => Script | undefined)

export interface ScriptedModel {
  /** For `OPENAI_BASE_URL`, ending in `/v1`. */
  baseUrl: string
  /** The latest requests, oldest first, at most `MAX_RECORDED_REQUESTS`. */
  requests: RecordedRequest[]
  /** A script is used for one request. A function is called for each, the newest function first, before the queue. */
  script(next: ScriptChoice): void
  /** Removes unused scripts. */
  clear(): void
  close(): Promise<void>
}

/** Messages to a process that runs this file. It replies to each with a `ModelReport`. */
export type ModelOrder =
  /** Sets the script for prompts with this prefix. The latest match wins. */
  { beginning: string; script: Script } | { report: true }

/** The prompts received, oldest first, at most `MAX_RECORDED_REQUESTS`. */
export type ModelReport = { prompts: string[] }

export const MAX_RECORDED_REQUESTS = 1_000
export const DEFAULT_SCRIPT: Script = [{ text: 'Hello from the scripted model. It says the same to everyone, word by word.' }]

/** A model on a real HTTP server that speaks OpenAI's chat completions and follows its scripts. */
export async function startScriptedModel({
  port = 0,
  fallback = DEFAULT_SCRIPT,
  countPrompt = () => 1,
}: {
  port?: number
  fallback?: Script
  /** The reported `prompt_tokens` of a request. */
  countPrompt?: (body: ChatRequest) => number
} = {}): Promise<ScriptedModel> {
  const state: State = { requests: [], queue: [], chosen: [], fallback, countPrompt, stopping: new AbortController() }
  const server = createServer((request, response) => {
    serve(state, request, response).catch(() => response.destroy())
  })
  await new Promise<void>((resolve, reject) => server.once('error', reject).listen(port, '127.0.0.1', resolve))
  const address = server.address() as AddressInfo
  return {
    baseUrl: `http://127.0.0.1:${address.port}/v1`,
    requests: state.requests,
    script: (next) => (typeof next === 'function' ? state.chosen.unshift(next) : state.queue.push(next)),
    clear: () => void state.queue.splice(0),
    close: () => close(server, state),
  }
}

interface State {
  requests: RecordedRequest[]
  queue: Script[]
  chosen: Exclude<ScriptChoice, Script>[]
  fallback: Script
  countPrompt: (body: ChatRequest) => number
  stopping: AbortController
}

async function close(server: Server, state: State): Promise<void> {
  state.stopping.abort()
  server.closeAllConnections()
  await new Promise((resolve) => server.close(resolve))
}

/** Supports the Responses API only for scripts with a `body`. */
const SERVED = ['/chat/completions', '/responses']

async function serve(state: State, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const path = request.url ?? ''
  if (request.method !== 'POST' || !SERVED.some((served) => path.endsWith(served)))
    return reply(response, 404, { error: { message: 'Not found' } })
  const body = JSON.parse(await textOf(request)) as ChatRequest
  const recorded: RecordedRequest = { path, headers: request.headers, body, prompt: promptOf(body), ended: endOf(response) }
  state.requests.push(recorded)
  if (state.requests.length > MAX_RECORDED_REQUESTS) state.requests.shift()
  const script = chooseScript(state, recorded)
  const { status = 200, headers, body: text, delayMs, steps = [] } = Array.isArray(script) ? { steps: script } : script
  if (delayMs !== undefined) await pause(delayMs)
  if (text !== undefined || status !== 200)
    return void response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(text ?? errorBody(status))
  const left = new AbortController()
  response.once('close', () => left.abort())
  const player = new Player(response, body, state.countPrompt(body), AbortSignal.any([left.signal, state.stopping.signal]))
  await (body.stream ? player.stream(steps, headers) : player.whole(steps))
}

function chooseScript(state: State, recorded: RecordedRequest): Script {
  for (const choose of state.chosen) {
    const script = choose(recorded)
    if (script) return script
  }
  return state.queue.shift() ?? state.fallback
}

function endOf(response: ServerResponse): Promise<boolean> {
  return new Promise((resolve) => {
    response.once('finish', () => resolve(false))
    response.once('close', () => resolve(!response.writableFinished))
  })
}

function errorBody(status: number): string {
  return JSON.stringify({ error: { message: `Scripted failure ${status} with secret internals`, type: 'scripted', code: String(status) } })
}

function reply(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
}

/** Runs the steps of one reply. */
class Player {
  readonly #response: ServerResponse
  readonly #promptTokens: number
  readonly #signal: AbortSignal
  readonly #head: { id: string; object: string; created: number; model: string }
  #finishReason = 'stop'
  #tokens = 0
  #toolCalls = 0
  #isOver = false

  constructor(response: ServerResponse, request: ChatRequest, promptTokens: number, signal: AbortSignal) {
    this.#response = response
    this.#promptTokens = promptTokens
    this.#signal = signal
    this.#head = { id: 'chatcmpl-scripted', object: 'chat.completion.chunk', created: Math.floor(Date.now() / 1000), model: request.model }
  }

  async stream(steps: ScriptStep[], headers: Record<string, string> = {}): Promise<void> {
    this.#response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-cache', ...headers })
    this.#response.flushHeaders()
    // A client that disconnects ends every wait, which is not an error.
    await this.#play(steps).catch((error: unknown) => {
      if (!this.#signal.aborted) throw error
    })
  }

  async #play(steps: ScriptStep[]): Promise<void> {
    for (const step of steps) {
      if (this.#isOver) return
      await this.#step(step)
    }
    if (this.#isOver) return
    this.#finish()
    this.#response.end('data: [DONE]\n\n')
  }

  /** The reply to a request without `stream`: text, reasoning and tool calls of the script at once. */
  whole(steps: ScriptStep[]): void {
    const text = steps.flatMap((step) => ('text' in step ? step.text : [])).join('')
    const calls = steps.flatMap((step) => ('toolCall' in step ? [callOf(step.toolCall, 0)] : []))
    const message = { role: 'assistant', content: text, ...(calls.length > 0 && { tool_calls: calls }) }
    const choice = { index: 0, message, finish_reason: calls.length > 0 ? 'tool_calls' : 'stop' }
    reply(this.#response, 200, {
      ...this.#head,
      object: 'chat.completion',
      choices: [choice],
      usage: usage(this.#promptTokens, tokensOf(text).length),
    })
  }

  async #step(step: ScriptStep): Promise<void> {
    if ('text' in step) return this.#tokensAtRate(tokensOf(step.text), step.tokensPerSecond)
    if ('reasoning' in step) return this.#each(tokensOf(step.reasoning), (reasoning_content) => this.#delta({ reasoning_content }))
    if ('toolCall' in step) return this.#toolCall(step.toolCall)
    if ('pauseMs' in step) return pause(step.pauseMs, undefined, { signal: this.#signal })
    if ('until' in step) return Promise.race([step.until.then(() => undefined), aborted(this.#signal)])
    if ('raw' in step) return void this.#response.write(step.raw)
    if ('finish' in step) this.#finishReason = step.finish
    if ('longLine' in step) return this.#longLine(step.longLine)
    if ('keepAlive' in step) return this.#forever(step.keepAlive.everyMs, () => this.#response.write(': keep-alive\n\n'))
    if ('endless' in step) return this.#forever(1000 / (step.tokensPerSecond ?? 1000), () => this.#delta({ content: step.endless }))
    this.#isOver = 'cut' in step || 'silence' in step || 'doneLeftOpen' in step
    if ('cut' in step) this.#cut()
    if ('doneLeftOpen' in step) {
      this.#finish()
      this.#response.write('data: [DONE]\n\n')
    }
  }

  #cut(): void {
    // Written bytes must be flushed before the cut, or the client may not receive them.
    const socket = this.#response.socket as Socket
    this.#response.write(': cut\n', () => socket.destroy())
  }

  async #longLine(bytes: number): Promise<void> {
    const piece = 'x'.repeat(64 * 1024)
    this.#response.write('data: ')
    for (let written = 0; written < bytes && !this.#signal.aborted; written += piece.length) {
      if (!this.#response.write(piece)) await once(this.#response, 'drain', { signal: this.#signal })
    }
  }

  async #forever(everyMs: number, act: () => void): Promise<void> {
    this.#isOver = true
    while (!this.#signal.aborted) {
      act()
      await pause(everyMs, undefined, { signal: this.#signal })
    }
  }

  async #tokensAtRate(tokens: string[], tokensPerSecond: number | undefined): Promise<void> {
    if (tokensPerSecond === undefined) return this.#each(tokens, (content) => this.#delta({ content }))
    const startedAt = performance.now()
    for (const [index, content] of tokens.entries()) {
      const waitMs = startedAt + (index * 1000) / tokensPerSecond - performance.now()
      if (waitMs > 0) await pause(waitMs, undefined, { signal: this.#signal })
      this.#delta({ content })
    }
  }

  #each(tokens: string[], write: (token: string) => void): void {
    for (const token of tokens) write(token)
  }

  #toolCall(call: Extract<ScriptStep, { toolCall: unknown }>['toolCall']): void {
    this.#finishReason = 'tool_calls'
    this.#delta({ tool_calls: [callOf(call, this.#toolCalls++)] })
  }

  #delta(delta: Record<string, unknown>): void {
    this.#tokens += 1
    this.#event({ ...this.#head, choices: [{ index: 0, delta, finish_reason: null }] })
  }

  #finish(): void {
    this.#event({ ...this.#head, choices: [{ index: 0, delta: {}, finish_reason: this.#finishReason }] })
    this.#event({ ...this.#head, choices: [], usage: usage(this.#promptTokens, this.#tokens) })
  }

  #event(event: unknown): void {
    this.#response.write(`data: ${JSON.stringify(event)}\n\n`)
  }
}

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }))
}

let calls = 0

function callOf(call: Extract<ScriptStep, { toolCall: unknown }>['toolCall'], index: number) {
  const text = typeof call.arguments === 'string' ? call.arguments : JSON.stringify(call.arguments)
  return { index, id: call.id ?? `call_${(calls += 1)}`, type: 'function', function: { name: call.name, arguments: text } }
}

function usage(prompt: number, completion: number) {
  return { prompt_tokens: prompt, completion_tokens: completion, total_tokens: prompt + completion }
}

function tokensOf(text: string | string[]): string[] {
  return Array.isArray(text) ? text : (text.match(/\s*\S+|\s+$/g) ?? [])
}

function promptOf(body: ChatRequest): string {
  const content = (body.messages ?? body.input ?? []).findLast((message) => message.role === 'user')?.content
  const text = Array.isArray(content) ? content.map((part: { text?: string }) => part.text ?? '').join('\n') : content
  return typeof text === 'string' ? withoutPassages(text) : ''
}

async function textOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks).toString('utf8')
}

/** `node test/support/scripted-model.ts [--port 0] [--text …] [--words 500] [--tokens-per-second 50]` prints its address and serves. */
async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      port: { type: 'string', default: '0' },
      text: { type: 'string' },
      words: { type: 'string' },
      'tokens-per-second': { type: 'string' },
    },
  })
  const words =
    values.words === undefined
      ? undefined
      : Array.from({ length: Number(values.words) }, (_, index) => `${index === 0 ? '' : ' '}word${index}`)
  const text = values.text ?? words
  const rate = values['tokens-per-second']
  const step = text === undefined ? undefined : { text, ...(rate !== undefined && { tokensPerSecond: Number(rate) }) }
  const model = await startScriptedModel({ port: Number(values.port), ...(step && { fallback: [step] }) })
  process.stdout.write(`${model.baseUrl}\n`)
  process.on('message', (order: ModelOrder) => {
    if ('script' in order) model.script((request) => (request.prompt.startsWith(order.beginning) ? order.script : undefined))
    process.send?.({ prompts: model.requests.map((request) => request.prompt) } satisfies ModelReport)
  })
  const end = () => {
    model.close().catch((error: unknown) => {
      console.error(error)
      process.exitCode = 1
    })
  }
  process.once('SIGTERM', end)
  process.once('SIGINT', end)
  // The parent process has ended, and its servers with it.
  process.once('disconnect', end)
}

if (import.meta.main) await main()

/** Text of a message, without the passages that come with it. */
export function withoutPassages(text: string): string {
  return text.replace(/<passages>[^]*?<\/passages>\s*/, '')
}
