import type { UnderlyingSource } from 'node:stream/web'
import type { LanguageModelV4StreamPart } from '@ai-sdk/provider'
import { type AgentFailure, failureBehind } from '../../agent-failure.ts'
import { type EventStreamListener, EventStreamReader } from '../event-stream.ts'
import { HeldDelta } from '../held-delta.ts'
import type { ModelLimits } from '../limits.ts'
import type { MergePace } from '../merge-pace.ts'
import type { ModelReply } from '../model-request.ts'
import { ChatAnswer } from './chat-answer.ts'
import { PartWriter } from './part-writer.ts'

const QUEUE_CHARACTERS = 64 * 1024

type Controller = ReadableStreamDefaultController<LanguageModelV4StreamPart>

export interface ChatStreamOptions {
  limits: ModelLimits
  pace: Pick<MergePace, 'intervalMs'>
  signal: AbortSignal | undefined
}

/**
 * The parts of the chat completion that the reply will stream, its deltas merged at the pace.
 * A failure, of the request too, is an `error` part in its place, after all that was said, and then the end: a web stream that fails
 * throws away what is queued. Only when the signal aborts does the stream fail, with the signal's reason.
 */
export function chatStream(reply: Promise<ModelReply>, options: ChatStreamOptions): ReadableStream<LanguageModelV4StreamPart> {
  return new ReadableStream(new ChatSource(reply, options), {
    highWaterMark: QUEUE_CHARACTERS,
    size: (part) => ('delta' in part ? part.delta.length : 1),
  })
}

class ChatSource implements UnderlyingSource<LanguageModelV4StreamPart> {
  readonly #reply: Promise<ModelReply>
  readonly #options: ChatStreamOptions
  #parts: ChatParts | undefined
  #reader: EventStreamReader | undefined

  constructor(reply: Promise<ModelReply>, options: ChatStreamOptions) {
    this.#reply = reply
    this.#options = options
  }

  async start(controller: Controller): Promise<void> {
    const { limits, pace, signal } = this.#options
    this.#parts = new ChatParts(controller, pace)
    try {
      const { response, sentAt } = await this.#reply
      if (this.#parts) this.#reader = new EventStreamReader(response, { limits, sentAt, signal })
      else response.destroy()
    } catch (error) {
      if (signal?.aborted) throw error
      this.#parts?.fail(failureBehind(error))
    }
    if (this.#parts) this.#reader?.read(this.#parts)
  }

  pull(): void {
    this.#reader?.resume()
  }

  /** A request that has no reply yet is ended by the signal. */
  cancel(): void {
    this.#parts?.drop()
    this.#parts = undefined
    this.#reader?.stop()
  }
}

class ChatParts implements EventStreamListener {
  readonly #writer: PartWriter
  readonly #held: HeldDelta
  readonly #answer: ChatAnswer
  /** Data of the event that is arriving. */
  #data: string | undefined

  constructor(controller: Controller, pace: Pick<MergePace, 'intervalMs'>) {
    this.#writer = new PartWriter(controller)
    this.#held = new HeldDelta(pace, (part) => this.#writer.write(part))
    this.#answer = new ChatAnswer((part) => this.#held.accept(part))
    this.#answer.begin()
  }

  line(line: string): void {
    if (line === '') this.#event()
    else if (line.startsWith('data:')) this.#data = (this.#data === undefined ? '' : `${this.#data}\n`) + line.slice('data:'.length)
  }

  isFull(): boolean {
    return this.#writer.isFull
  }

  isAhead(): boolean {
    return this.#writer.isAhead
  }

  end(): void {
    this.#event()
    this.#answer.end()
    this.#writer.close()
  }

  fail(failure: AgentFailure): void {
    this.#held.accept({ type: 'error', error: failure })
    this.#writer.close()
  }

  abort(reason: unknown): void {
    this.#held.drop()
    this.#writer.fail(reason)
  }

  /** Forgets what is held back. */
  drop(): void {
    this.#held.drop()
    this.#writer.drop()
  }

  #event(): void {
    const data = this.#data
    this.#data = undefined
    if (data !== undefined) this.#answer.accept(data)
  }
}
