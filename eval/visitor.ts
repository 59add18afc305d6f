import { setTimeout as pause } from 'node:timers/promises'
import { EventSourceParserStream } from 'eventsource-parser/stream'
import type { ErrorCode } from '../src/contract/errors.ts'
import { MessageBuilder } from '../src/contract/chat/message-builder.ts'
import type { ChatChunk, ChatMessage } from '../src/contract/chat/message.ts'
import { answerStateOf } from '../src/contract/chat/answer-state.ts'
import type { Reply } from '../src/server/insights/evaluation/check-answer.ts'

/** Longer than any answer can take. */
const TIMEOUT_MS = 15 * 60_000
/** Retried while a model is loading or busy. */
const MAX_TRIES = 20
const RETRIED: readonly (string | null)[] = ['model_loading', 'model_busy', 'server_busy']
const DEFAULT_RETRY_S = 5

/** An anonymous visitor with one chat, who calls the public API as the page does. */
export class Visitor {
  readonly #chatUrl: string
  #cookie: string | null = null
  #sessionId: string | null = null

  constructor(url: string, agent: string) {
    this.#chatUrl = `${url}/api/v1/agent/chat/${agent}`
  }

  /** Sends the next prompt of the chat and reads its answer to the end. */
  async ask(prompt: string): Promise<Reply> {
    for (let tries = 1; ; tries += 1) {
      const startedAt = performance.now()
      const response = await this.#post(prompt)
      if (response.ok && response.body) return this.#read(response.body, startedAt)
      const { code } = (await response.json()) as { code?: ErrorCode }
      if (tries === MAX_TRIES || !RETRIED.includes(code ?? null)) {
        const answer: ChatMessage = { id: '', role: 'assistant', parts: [] }
        return {
          state: answerStateOf({ status: 'failed', code: code ?? null }),
          code: code ?? null,
          answer,
          ms: performance.now() - startedAt,
        }
      }
      await pause(Number(response.headers.get('retry-after') ?? DEFAULT_RETRY_S) * 1_000)
    }
  }

  async #post(prompt: string): Promise<Response> {
    const query = this.#sessionId === null ? '' : `?session_id=${this.#sessionId}`
    const response = await fetch(`${this.#chatUrl}${query}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', accept: 'text/event-stream', ...(this.#cookie && { cookie: this.#cookie }) },
      body: JSON.stringify({ prompt }),
      signal: AbortSignal.timeout(TIMEOUT_MS),
    })
    const cookies = response.headers.getSetCookie().map((cookie) => cookie.split(';')[0])
    if (cookies.length > 0) this.#cookie = cookies.join('; ')
    return response
  }

  async #read(body: ReadableStream<Uint8Array>, startedAt: number): Promise<Reply> {
    const builder = new MessageBuilder()
    let firstWordMs: number | undefined
    const events = body.pipeThrough(new TextDecoderStream() as never).pipeThrough(new EventSourceParserStream())
    for await (const { data } of events as unknown as AsyncIterable<{ data: string }>) {
      if (data === '[DONE]') continue
      const chunk = JSON.parse(data) as ChatChunk
      if (chunk.type === 'text-delta') firstWordMs ??= performance.now() - startedAt
      builder.apply(chunk)
    }
    const answer = builder.finished()
    this.#sessionId = answer.metadata?.sessionId ?? this.#sessionId
    return {
      state: answer.metadata?.state ?? 'failed',
      code: answer.metadata?.code ?? null,
      answer,
      ms: performance.now() - startedAt,
      ...(firstWordMs !== undefined && { firstWordMs }),
    }
  }
}
