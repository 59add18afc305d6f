import type { UnderlyingSource } from 'node:stream/web'
import type { LanguageModelV4StreamPart } from '@ai-sdk/provider'
import type { EventSourceMessage } from 'eventsource-parser'
import { type AgentFailure, failureBehind } from '../agent-failure.ts'
import { type EventStreamListener, EventStreamReader, isKeepAlive } from '../streams/event-stream-reader.ts'
import type { ModelLimits } from '../model-limits.ts'
import { afterOutput, ModelError } from '../requests/model-error.ts'
import { type ModelReply, pauseBeforeRetry } from '../requests/model-request.ts'
import { ChatAnswer } from './chat-answer.ts'
import type { FailureOf } from './chat-event.ts'

const QUEUE_CHARACTERS = 64 * 1024

type Controller = ReadableStreamDefaultController<LanguageModelV4StreamPart>

export interface ChatStreamOptions {
  /** Sends the request; again, if its stream reports a transient error before any output. */
  send: () => Promise<ModelReply>
  offered: readonly string[]
  limits: ModelLimits
  signal: AbortSignal | undefined
  failureOf: FailureOf
  /** Answers through the other API if the failure says that the model needs it. */
  otherApi: (failure: AgentFailure) => Promise<ReadableStream<LanguageModelV4StreamPart> | null>
}

/** Streams the parts of a chat completion. Failures become an `error` part after all output: an erroring stream discards its queue. */
export function chatStream(options: ChatStreamOptions): ReadableStream<LanguageModelV4StreamPart> {
  return new ReadableStream(new ChatSource(options), {
    highWaterMark: QUEUE_CHARACTERS,
    size: (part) => ('delta' in part ? part.delta.length : 1),
  })
}

class ChatSource implements UnderlyingSource<LanguageModelV4StreamPart> {
  readonly #options: ChatStreamOptions
  #parts: ChatParts | undefined
  #repeats = 0
  #reader: EventStreamReader | undefined
  #other: ReadableStreamDefaultReader<LanguageModelV4StreamPart> | undefined

  constructor(options: ChatStreamOptions) {
    this.#options = options
  }

  async start(controller: Controller): Promise<void> {
    this.#parts = new ChatParts(controller, this.#options, (failure) => this.#mayRepeat(failure))
    await this.#read()
  }

  async #read(): Promise<void> {
    const { limits, signal, send } = this.#options
    try {
      const { response, sentAt } = await send()
      if (!this.#parts) return void response.destroy()
      this.#reader = new EventStreamReader(response, { limits, sentAt, signal })
    } catch (error) {
      if (signal?.aborted) throw error
      return this.#useOtherApi(failureBehind(error))
    }
    this.#reader.read(this.#parts)
  }

  /** Repeats the request if the failure is an error in its stream that may pass. */
  #mayRepeat(failure: AgentFailure): boolean {
    const { limits } = this.#options
    if (!(failure instanceof ModelError) || !failure.isTransient || this.#repeats >= limits.maxRetries) return false
    this.#repeat().catch((error: unknown) => this.#parts?.abort(error))
    return true
  }

  async #repeat(): Promise<void> {
    const { limits, signal } = this.#options
    await pauseBeforeRetry(limits.retryDelayMs, this.#repeats, { signal })
    this.#repeats += 1
    if (this.#parts) await this.#read()
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
      if (!other) return this.#parts?.endWith(failure)
      if (this.#parts) this.#other = other.getReader()
      else await other.cancel()
    } catch (error) {
      if (this.#options.signal?.aborted) throw error
      this.#parts?.endWith(failureBehind(error))
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
  readonly #mayRepeat: (failure: AgentFailure) => boolean
  readonly #newAnswer: () => ChatAnswer
  #answer: ChatAnswer

  constructor(controller: Controller, { failureOf, offered }: ChatStreamOptions, mayRepeat: (failure: AgentFailure) => boolean) {
    this.#controller = controller
    this.#mayRepeat = mayRepeat
    this.#newAnswer = () => new ChatAnswer((part) => controller.enqueue(part), failureOf, offered)
    this.#answer = this.#newAnswer()
    this.#answer.begin()
  }

  event(event: EventSourceMessage): void {
    if (!isKeepAlive(event)) this.#answer.accept(event.data)
  }

  isFull(): boolean {
    return (this.#controller.desiredSize ?? 0) <= 0
  }

  end(isDone: boolean): void {
    this.#answer.end(isDone)
    this.#controller.close()
  }

  fail(failure: AgentFailure): void {
    if (this.#answer.hasOutput) return this.endWith(afterOutput(failure))
    if (!this.#mayRepeat(failure)) return this.endWith(failure)
    this.#answer = this.#newAnswer()
  }

  endWith(failure: AgentFailure): void {
    this.#controller.enqueue({ type: 'error', error: failure })
    this.#controller.close()
  }

  abort(reason: unknown): void {
    this.#controller.error(reason)
  }
}
