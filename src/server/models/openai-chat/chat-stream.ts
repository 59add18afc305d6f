import type { UnderlyingSource } from 'node:stream/web'
import type { LanguageModelV4StreamPart } from '@ai-sdk/provider'
import type { EventSourceMessage } from 'eventsource-parser'
import { type AgentFailure, failureBehind } from '../agent-failure.ts'
import { type EventStreamListener, EventStreamReader } from '../streams/event-stream-reader.ts'
import type { ModelLimits } from '../model-limits.ts'
import type { ModelReply } from '../requests/model-request.ts'
import { ChatAnswer } from './chat-answer.ts'
import type { FailureOf } from './chat-event.ts'

const QUEUE_CHARACTERS = 64 * 1024

type Controller = ReadableStreamDefaultController<LanguageModelV4StreamPart>

export interface ChatStreamOptions {
  limits: ModelLimits
  signal: AbortSignal | undefined
  /** Creates a failure from an error in the stream. */
  failureOf: FailureOf
  /** Answers through the other API if the failure says that the model needs it. */
  otherApi: (failure: AgentFailure) => Promise<ReadableStream<LanguageModelV4StreamPart> | null>
}

/**
 * Streams the parts of a chat completion. A failure, of the request too, becomes an `error` part after all output,
 * followed by the end, because a web stream that errors discards its queue. Only an abort errors the stream, with the signal's reason.
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
    const { limits, signal, failureOf } = this.#options
    this.#parts = new ChatParts(controller, failureOf)
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
    // This stream has already started.
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

  /** A pending request is ended by the signal. */
  async cancel(): Promise<void> {
    this.#parts = undefined
    this.#reader?.stop()
    await this.#other?.cancel()
  }
}

class ChatParts implements EventStreamListener {
  readonly #controller: Controller
  readonly #answer: ChatAnswer

  constructor(controller: Controller, failureOf: FailureOf) {
    this.#controller = controller
    this.#answer = new ChatAnswer((part) => controller.enqueue(part), failureOf)
    this.#answer.begin()
  }

  event({ data }: EventSourceMessage): void {
    this.#answer.accept(data)
  }

  isFull(): boolean {
    return (this.#controller.desiredSize ?? 0) <= 0
  }

  end(isDone: boolean): void {
    this.#answer.end(isDone)
    this.#controller.close()
  }

  fail(failure: AgentFailure): void {
    this.#controller.enqueue({ type: 'error', error: failure })
    this.#controller.close()
  }

  abort(reason: unknown): void {
    this.#controller.error(reason)
  }
}
