import type { IncomingMessage } from 'node:http'
import { AgentFailure, failureBehind } from '../answer/agent-failure.ts'
import type { ModelLimits } from './model-limits.ts'
import { FrameSplitter } from './frame-splitter.ts'
import { LineSplitter } from './line-splitter.ts'
import { WholeReply } from './whole-reply.ts'
import { onAbort } from '../../abort.ts'

/** How long a connection may linger after the model said that it is done, to be used again. */
const DONE_LINGER_MS = 1_000

export interface EventStreamOptions {
  limits: ModelLimits
  /** When the request went out, by `performance.now()`. */
  sentAt: number
  signal: AbortSignal | undefined
}

/** What Bedrock sends in place of lines: https://docs.aws.amazon.com/transcribe/latest/dg/event-stream.html */
const FRAMES_TYPE = 'application/vnd.amazon.eventstream'

/** Whether a reply is a stream of frames rather than lines. */
export function hasFrames({ headers }: IncomingMessage): boolean {
  return headers['content-type']?.startsWith(FRAMES_TYPE) === true
}

/** The last event of Anthropic's Messages and of OpenAI's Responses. */
const LAST_EVENT = /^event:\s*(?:message_stop|response\.(?:completed|incomplete|failed))\s*$/

/** `[DONE]`, with or without spaces around it. */
function isDone(line: string): boolean {
  return line.length < 24 && line.startsWith('data:') && line.slice('data:'.length).trim() === '[DONE]'
}

/** Who reads an event stream. Of `end`, `fail` and `abort` it hears one, once, and nothing after. */
export interface EventStreamListener {
  /** A line without its end; comments are left out. What it throws ends the stream as failed. */
  line(line: string): void
  /** A whole frame, in a stream of frames. */
  frame?(frame: Buffer): void
  /** True when it has more than it can use now; it then calls `resume` later. */
  isFull(): boolean
  /** Whether what it has is to go on before it hears more: that comes in the next pass of the event loop. */
  isAhead?(): boolean
  /** The stream was closed in good order; `isDone`: after `[DONE]` or the like. What it throws is reported to `fail`. */
  end(isDone: boolean): void
  fail(failure: AgentFailure): void
  abort(reason: unknown): void
}

/**
 * Reads a model's event stream within the limits: no data in time, a line or a stream too long, bytes that are no UTF-8,
 * or a connection cut before its end are failures. Comments are no data.
 * The stream ends at `[DONE]` (or the last event of Anthropic's Messages or OpenAI's Responses), whether or not the connection does;
 * a stream of frames ends with its connection. A reply in JSON is read as the stream that it stands for.
 */
export class EventStreamReader {
  readonly #response: IncomingMessage
  readonly #options: EventStreamOptions
  readonly #lines: LineSplitter
  /** Null in a stream of lines. */
  readonly #frames: FrameSplitter | null
  #listener: EventStreamListener | undefined
  #watchdog: ReturnType<typeof setTimeout> | undefined
  #lastDataAt: number | undefined
  #bytes = 0
  #isLastEvent = false
  #removeAbortListener = () => {}
  readonly #whole: WholeReply
  /** What came while the listener was ahead, at most what a socket gives in one pass of the event loop; null when nothing has to wait. */
  #waiting: (() => void)[] | null = null

  constructor(response: IncomingMessage, options: EventStreamOptions) {
    this.#response = response
    this.#options = options
    this.#lines = new LineSplitter(options.limits.maxLineBytes)
    this.#whole = new WholeReply(options.limits.maxLineBytes)
    this.#frames = hasFrames(response) ? new FrameSplitter(options.limits.maxLineBytes) : null
  }

  read(listener: EventStreamListener): void {
    const { signal } = this.#options
    this.#listener = listener
    this.#response.on('data', (chunk: Buffer) => this.#inTurn(() => this.#accept(chunk)))
    this.#response.on('end', () => this.#inTurn(() => this.#end()))
    this.#response.on('error', (cause) => this.#inTurn(() => this.#cut(cause)))
    this.#response.on('close', () => this.#inTurn(() => this.#cut(undefined)))
    this.#removeAbortListener = onAbort(signal, (reason) => {
      this.#settle()?.abort(reason)
      this.#response.destroy()
    })
    this.#watch()
  }

  resume(): void {
    if (this.#response.isPaused()) this.#response.resume()
  }

  /** Ends the reading and the connection; the listener hears nothing more. */
  stop(): void {
    this.#settle()
    this.#response.destroy()
  }

  #inTurn(step: () => void): void {
    if (this.#waiting) return void this.#waiting.push(step)
    step()
    if (!this.#listener?.isAhead?.()) return
    this.#waiting = []
    setImmediate(() => {
      const steps = this.#waiting ?? []
      this.#waiting = null
      for (const next of steps) this.#inTurn(next)
    })
  }

  #accept(chunk: Buffer): void {
    if (!this.#listener) return
    try {
      this.#bytes += chunk.length
      if (this.#bytes > this.#options.limits.maxStreamBytes)
        throw new AgentFailure('answer_too_long', 'The stream of the model grew too long.')
      if (this.#frames) this.#frames.write(chunk, this.#frame)
      else this.#lines.write(chunk, this.#line)
    } catch (error) {
      this.#fail(failureBehind(error))
      return
    }
    if (this.#listener?.isFull()) this.#response.pause()
  }

  readonly #line = (line: string): void => {
    if (!this.#listener || line.startsWith(':')) return
    if (this.#whole.takes(line)) return void (this.#lastDataAt = performance.now())
    if (line.startsWith('data:')) this.#lastDataAt = performance.now()
    if (line.startsWith('event:') && LAST_EVENT.test(line)) this.#isLastEvent = true
    if (isDone(line)) return this.#finish(true)
    this.#listener.line(line)
    if (line === '' && this.#isLastEvent) this.#finish(true)
  }

  readonly #frame = (frame: Buffer): void => {
    this.#lastDataAt = performance.now()
    this.#listener?.frame?.(frame)
  }

  #end(): void {
    if (!this.#listener) return
    if (!this.#response.complete || this.#frames?.isBetweenFrames === false) return this.#cut(undefined)
    try {
      this.#line(this.#lines.end())
      for (const line of this.#whole.end()) this.#line(line)
      if (this.#listener) this.#finish(this.#frames !== null)
    } catch (error) {
      this.#fail(failureBehind(error))
    }
  }

  #finish(done: boolean): void {
    this.#listener?.end(done)
    this.#settle()
    const linger = setTimeout(() => this.#response.destroy(), DONE_LINGER_MS)
    linger.unref()
    this.#response.once('close', () => clearTimeout(linger))
    this.#response.resume()
  }

  #cut(cause: unknown): void {
    if (this.#listener)
      this.#fail(new AgentFailure('model_interrupted', 'The connection to the model was cut before the end of the answer.', { cause }))
  }

  #fail(failure: AgentFailure): void {
    this.#settle()?.fail(failure)
    this.#response.destroy()
  }

  /** Nothing is read, reported or timed after this. Returns the listener the first time only. */
  #settle(): EventStreamListener | undefined {
    const listener = this.#listener
    this.#listener = undefined
    clearTimeout(this.#watchdog)
    this.#removeAbortListener()
    return listener
  }

  /** Looks again when the time would be up, rather than moving a timer with every token. */
  #watch(): void {
    const { limits, sentAt } = this.#options
    const dueAt = this.#lastDataAt === undefined ? sentAt + limits.firstDataTimeoutMs : this.#lastDataAt + limits.idleTimeoutMs
    const remainingMs = dueAt - performance.now()
    if (!this.#listener) return
    // A reader that does not keep up is not the model's silence.
    if (remainingMs > 0 || this.#response.isPaused())
      this.#watchdog = setTimeout(() => this.#watch(), Math.max(remainingMs, limits.mergeDeltasMs, 1))
    else this.#fail(new AgentFailure('model_timeout', 'The model sent no data in time.'))
  }
}
