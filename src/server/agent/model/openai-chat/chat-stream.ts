import type { UnderlyingSource } from 'node:stream/web'
import type { LanguageModelV4StreamPart } from '@ai-sdk/provider'
import type { EventSourceMessage } from 'eventsource-parser'
import { type AgentFailure, failureBehind } from '../../answer/agent-failure.ts'
import { type EventStreamListener, EventStreamReader } from '../event-stream-reader.ts'
import { BufferedDelta } from '../buffered-delta.ts'
import type { ModelLimits } from '../model-limits.ts'
import type { MergePace } from '../merge-pace.ts'
import type { ModelReply } from '../model-request.ts'
import { ChatAnswer } from './chat-answer.ts'
import type { FailureOf } from './chat-event.ts'
import { PartWriter } from './part-writer.ts'

const QUEUE_CHARACTERS = 64 * 1024

type Controller = ReadableStreamDefaultController<LanguageModelV4StreamPart>

export interface ChatStreamOptions {
  limits: ModelLimits
  pace: Pick<MergePace, 'intervalMs'>
  signal: AbortSignal | undefined
  /** Makes a failure of an error that the model reports in its stream. */
  failureOf: FailureOf
  /** The answer by another way, where the failure of the request says that there is one. */
  otherApi: (failure: AgentFailure) => Promise<ReadableStream<LanguageModelV4StreamPart> | null>
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
  #other: ReadableStreamDefaultReader<LanguageModelV4StreamPart> | undefined

  constructor(reply: Promise<ModelReply>, options: ChatStreamOptions) {
    this.#reply = reply
    this.#options = options
  }

  async start(controller: Controller): Promise<void> {
    const { limits, pace, signal, failureOf } = this.#options
    this.#parts = new ChatParts(controller, pace, failureOf)
    try {
      const { response, sentAt } = await this.#reply
      if (this.#parts) this.#reader = new EventStreamReader(response, { limits, sentAt, signal })
      else response.destroy()
    } catch (error) {
      if (signal?.aborted) throw error
      await this.#useOtherApi(failureBehind(error))
    }
    if (this.#parts) this.#reader?.read(this.#parts)
  }

  async pull(controller: Controller): Promise<void> {
    this.#reader?.resume()
    if (!this.#other) return
    const { done, value } = await this.#other.read()
    if (done) controller.close()
    // This stream has begun already.
    else if (value.type !== 'stream-start') controller.enqueue(value)
    else await this.pull(controller)
  }

  async #useOtherApi(failure: AgentFailure): Promise<void> {
    try {
      const other = await this.#options.otherApi(failure)
      if (!other) return this.#parts?.fail(failure)
      if (this.#parts) this.#other = other.getReader()
      else await other.cancel()
    } catch (error) {
      if (this.#options.signal?.aborted) throw error
      this.#parts?.fail(failureBehind(error))
    }
  }

  /** A request that has no reply yet is ended by the signal. */
  async cancel(): Promise<void> {
    this.#parts?.drop()
    this.#parts = undefined
    this.#reader?.stop()
    await this.#other?.cancel()
  }
}

class ChatParts implements EventStreamListener {
  readonly #writer: PartWriter
  readonly #buffer: BufferedDelta
  readonly #answer: ChatAnswer

  constructor(controller: Controller, pace: Pick<MergePace, 'intervalMs'>, failureOf: FailureOf) {
    this.#writer = new PartWriter(controller)
    this.#buffer = new BufferedDelta(pace, (part) => this.#writer.write(part))
    this.#answer = new ChatAnswer((part) => this.#buffer.accept(part), failureOf)
    this.#answer.begin()
  }

  event({ data }: EventSourceMessage): void {
    this.#answer.accept(data)
  }

  isFull(): boolean {
    return this.#writer.isFull
  }

  isAhead(): boolean {
    return this.#writer.isAhead
  }

  end(isDone: boolean): void {
    this.#answer.end(isDone)
    this.#writer.close()
  }

  fail(failure: AgentFailure): void {
    this.#buffer.accept({ type: 'error', error: failure })
    this.#writer.close()
  }

  abort(reason: unknown): void {
    this.#buffer.drop()
    this.#writer.fail(reason)
  }

  /** Forgets what is held back. */
  drop(): void {
    this.#buffer.drop()
    this.#writer.drop()
  }
}
