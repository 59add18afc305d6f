import type { IncomingMessage } from 'node:http'
import { AgentFailure, failureBehind } from '../agent-failure.ts'
import { EventCoalescer } from './coalesce-events.ts'
import type { ModelLimits } from './limits.ts'
import { UNREADABLE_EVENT } from './stream-failures.ts'
import { LineSplitter } from './line-splitter.ts'
import type { MergePace } from './merge-pace.ts'

/** How long a connection may linger after the model said that it is done, to be used again. */
const DONE_LINGER_MS = 1_000
const QUEUE_BYTES = 64 * 1024

export interface BodyOptions {
  limits: ModelLimits
  pace: Pick<MergePace, 'intervalMs'>
  /** When the request went out, by `performance.now()`. */
  sentAt: number
  signal: AbortSignal | undefined
  /** Hears why the body ended early; the body then ends with `UNREADABLE_EVENT`. */
  onFailure: (failure: AgentFailure) => void
}

/**
 * The body of a model's event stream, within the limits: no data in time, a line or a stream too long, bytes that are no UTF-8,
 * or a connection cut before its end make it end with an event that cannot be read, and `onFailure` hears why. Comments are left out, and are no data.
 * It ends at `[DONE]` (or Anthropic's `message_stop`), whether or not the connection does.
 */
export function eventStreamBody(response: IncomingMessage, options: BodyOptions): ReadableStream<Uint8Array> {
  const body = new EventStreamBody(response, options)
  const strategy: QueuingStrategy<Uint8Array> = { highWaterMark: QUEUE_BYTES, size: (chunk) => chunk.byteLength }
  return new ReadableStream<Uint8Array>(
    { start: (controller) => body.start(controller), pull: () => body.pull(), cancel: () => body.cancel() },
    strategy,
  )
}

class EventStreamBody {
  readonly #response: IncomingMessage
  readonly #options: BodyOptions
  readonly #lines: LineSplitter
  readonly #events: EventCoalescer
  #controller: ReadableStreamDefaultController<Uint8Array> | undefined
  #watchdog: ReturnType<typeof setTimeout> | undefined
  #lastDataAt: number | undefined
  #bytes = 0
  #isLastEvent = false

  constructor(response: IncomingMessage, options: BodyOptions) {
    this.#response = response
    this.#options = options
    this.#lines = new LineSplitter(options.limits.maxLineBytes)
    this.#events = new EventCoalescer(options.pace, (text) => this.#controller?.enqueue(Buffer.from(text, 'latin1')))
  }

  start(controller: ReadableStreamDefaultController<Uint8Array>): void {
    const { signal } = this.#options
    this.#controller = controller
    this.#response.on('data', (chunk: Buffer) => this.#accept(chunk))
    this.#response.on('end', () => this.#end())
    this.#response.on('error', (cause) => this.#cut(cause))
    this.#response.on('close', () => this.#cut(undefined))
    signal?.addEventListener('abort', this.#abort, { once: true })
    if (signal?.aborted) this.#abort()
    this.#watch()
  }

  pull(): void {
    if (this.#response.isPaused()) this.#response.resume()
  }

  cancel(): void {
    this.#settle()
    this.#events.cancel()
    this.#response.destroy()
  }

  readonly #abort = (): void => {
    this.#events.cancel()
    this.#settle()?.error(this.#options.signal?.reason)
    this.#response.destroy()
  }

  #accept(chunk: Buffer): void {
    if (!this.#controller) return
    try {
      this.#bytes += chunk.length
      if (this.#bytes > this.#options.limits.maxStreamBytes)
        throw new AgentFailure('answer_too_long', 'The stream of the model grew too long.')
      this.#lines.write(chunk, (line) => this.#line(line))
    } catch (error) {
      this.#fail(failureBehind(error))
      return
    }
    if ((this.#controller?.desiredSize ?? 1) <= 0) this.#response.pause()
  }

  #line(line: string): void {
    if (!this.#controller || line.startsWith(':')) return
    if (line.startsWith('data:')) this.#lastDataAt = performance.now()
    if (line.startsWith('event:') && line.includes('message_stop')) this.#isLastEvent = true
    this.#events.line(line)
    if (line === 'data: [DONE]' || line === 'data:[DONE]' || (line === '' && this.#isLastEvent)) this.#finish()
  }

  #end(): void {
    if (!this.#controller) return
    if (!this.#response.complete) return this.#cut(undefined)
    try {
      this.#line(this.#lines.end())
    } catch (error) {
      this.#fail(failureBehind(error))
      return
    }
    this.#finish()
  }

  #finish(): void {
    this.#events.end()
    const controller = this.#settle()
    controller?.close()
    const linger = setTimeout(() => this.#response.destroy(), DONE_LINGER_MS)
    linger.unref()
    this.#response.once('close', () => clearTimeout(linger))
    this.#response.resume()
  }

  #cut(cause: unknown): void {
    if (this.#controller)
      this.#fail(new AgentFailure('model_failed', 'The connection to the model was cut before the end of the answer.', { cause }))
  }

  #fail(failure: AgentFailure): void {
    if (!this.#controller) return
    this.#options.onFailure(failure)
    this.#events.end()
    const controller = this.#settle()
    controller?.enqueue(Buffer.from(UNREADABLE_EVENT))
    controller?.close()
    this.#response.destroy()
  }

  /** Ends the body's part in this: nothing is read, written or timed after. Returns the controller the first time only. */
  #settle(): ReadableStreamDefaultController<Uint8Array> | undefined {
    const controller = this.#controller
    this.#controller = undefined
    clearTimeout(this.#watchdog)
    this.#options.signal?.removeEventListener('abort', this.#abort)
    return controller
  }

  /** Looks again when the time would be up, rather than moving a timer with every token. */
  #watch(): void {
    const { limits, sentAt } = this.#options
    const dueAt = this.#lastDataAt === undefined ? sentAt + limits.firstDataTimeoutMs : this.#lastDataAt + limits.idleTimeoutMs
    const remainingMs = dueAt - performance.now()
    if (!this.#controller) return
    // A reader that does not keep up is not the model's silence.
    if (remainingMs > 0 || this.#response.isPaused())
      this.#watchdog = setTimeout(() => this.#watch(), Math.max(remainingMs, limits.mergeDeltasMs, 1))
    else this.#fail(new AgentFailure('model_timeout', 'The model sent no data in time.'))
  }
}
