import type { IncomingMessage } from 'node:http'
import { createParser, type EventSourceMessage, type EventSourceParser } from 'eventsource-parser'
import { onAbort } from '../../../async/abort.ts'
import { AgentFailure, failureBehind } from '../agent-failure.ts'
import type { ModelLimits } from '../model-limits.ts'

/** How long a connection may stay open for reuse after the last event. */
const DONE_LINGER_MS = 1_000

interface EventStreamOptions {
  limits: ModelLimits
  /** When the request was sent, by `performance.now()`. */
  sentAt: number
  signal: AbortSignal | undefined
}

/** Bedrock sends binary frames instead of lines, which are for its package to read. */
const FRAMES_TYPE = 'application/vnd.amazon.eventstream'

/** The last event of Anthropic's Messages and of OpenAI's Responses. */
const LAST_EVENTS = ['message_stop', 'response.completed', 'response.incomplete', 'response.failed']

/** `[DONE]` at the end of the text, which endpoints may send without the empty line that ends an event. */
const DONE_AT_END = /[\r\n]data:\s*\[DONE\]\s*$/
/** Longer than `DONE_AT_END` matches, spaces included. */
const TAIL_CHARACTERS = 32

/** Receives exactly one of `end`, `fail` and `abort`, and nothing after it. */
export interface EventStreamListener {
  /** An exception ends the stream as failed. */
  event(event: EventSourceMessage): void
  /** A part of a stream of frames. */
  bytes?(bytes: Buffer): void
  /** Whether reading must pause until the listener calls `resume`. */
  isFull(): boolean
  /** The stream is complete; `isDone`: after `[DONE]` or another last event. An exception is passed to `fail`. */
  end(isDone: boolean): void
  fail(failure: AgentFailure): void
  abort(reason: unknown): void
}

/**
 * Reads a model's event stream within the limits. Silence, an event or a stream that is too long, invalid UTF-8 and a connection
 * that is cut are failures. Comments do not count as data.
 * The stream ends at `[DONE]`, or the last event of Anthropic's Messages or OpenAI's Responses, even if the connection stays open;
 * a stream of frames ends with its connection. A JSON reply is read as the stream that it stands for.
 */
export class EventStreamReader {
  readonly #response: IncomingMessage
  readonly #options: EventStreamOptions
  readonly #parser: EventSourceParser
  readonly #decoder = new TextDecoder('utf-8', { fatal: true })
  /** A chat completion in JSON, from an endpoint that ignores the request for a stream. Its content type is not reliable. */
  #json: string | null = null
  readonly #hasFrames: boolean
  #listener: EventStreamListener | undefined
  #watchdog: ReturnType<typeof setTimeout> | undefined
  #lastDataAt: number | undefined
  #bytes = 0
  /** Whether any text was received, the first character of which tells JSON from a stream. */
  #hasText = false
  #tail = '\n'
  #removeAbortListener = () => {}

  constructor(response: IncomingMessage, options: EventStreamOptions) {
    const { maxLineBytes } = options.limits
    this.#response = response
    this.#options = options
    this.#hasFrames = response.headers['content-type']?.startsWith(FRAMES_TYPE) === true
    this.#parser = createParser({
      maxBufferSize: maxLineBytes,
      onEvent: (event) => this.#event(event),
      onError: ({ type }) => {
        if (type === 'max-buffer-size-exceeded') throw tooLong(maxLineBytes)
      },
    })
  }

  read(listener: EventStreamListener): void {
    const { signal } = this.#options
    this.#listener = listener
    this.#response.on('data', (chunk: Buffer) => this.#accept(chunk))
    this.#response.on('end', () => this.#end())
    this.#response.on('error', (cause) => this.#cut(cause))
    this.#response.on('close', () => this.#cut(undefined))
    this.#removeAbortListener = onAbort(signal, (reason) => {
      this.#settle()?.abort(reason)
      this.#response.destroy()
    })
    this.#watch()
  }

  resume(): void {
    if (this.#response.isPaused()) this.#response.resume()
  }

  /** Stops reading and closes the connection; the listener receives nothing more. */
  stop(): void {
    this.#settle()
    this.#response.destroy()
  }

  #accept(chunk: Buffer): void {
    if (!this.#listener) return
    try {
      this.#bytes += chunk.length
      if (this.#bytes > this.#options.limits.maxStreamBytes) throw new AgentFailure('answer_too_long', "The model's stream is too long.")
      if (this.#hasFrames) this.#pass(chunk)
      else this.#parse(this.#decode(chunk))
    } catch (error) {
      this.#fail(failureBehind(error))
      return
    }
    if (this.#listener?.isFull()) this.#response.pause()
  }

  #decode(chunk: Buffer): string {
    try {
      return this.#decoder.decode(chunk, { stream: true })
    } catch {
      // Events before the invalid bytes are still part of the answer.
      this.#parse(chunk.toString('utf8').split('\uFFFD', 1)[0] ?? '')
      throw notUtf8()
    }
  }

  #parse(decoded: string): void {
    const text = this.#hasText ? decoded : decoded.trimStart()
    if (text === '') return
    if (!this.#hasText && text.startsWith('{')) this.#json = ''
    this.#hasText = true
    if (this.#json !== null) return this.#collectJson(this.#json + text)
    this.#parser.feed(text)
    this.#tail = (this.#tail + text.slice(-TAIL_CHARACTERS)).slice(-TAIL_CHARACTERS)
    if (DONE_AT_END.test(this.#tail)) this.#parser.feed('\n\n')
  }

  #collectJson(json: string): void {
    this.#lastDataAt = performance.now()
    if (json.length > this.#options.limits.maxLineBytes) throw tooLong(this.#options.limits.maxLineBytes)
    this.#json = json
  }

  #event(event: EventSourceMessage): void {
    if (!this.#listener) return
    const { maxLineBytes } = this.#options.limits
    if (event.data.length > maxLineBytes) throw tooLong(maxLineBytes)
    this.#lastDataAt = performance.now()
    if (isDoneMarker(event.data)) return this.#finish(true)
    this.#listener.event(event)
    if (event.event !== undefined && LAST_EVENTS.includes(event.event.trim())) this.#finish(true)
  }

  #pass(chunk: Buffer): void {
    this.#lastDataAt = performance.now()
    this.#listener?.bytes?.(chunk)
  }

  #end(): void {
    if (!this.#listener) return
    if (!this.#response.complete) return this.#cut(undefined)
    try {
      if (!this.#isWholeText()) throw notUtf8()
      if (this.#json === null) this.#parser.feed('\n\n')
      else this.#event({ data: this.#json })
      if (this.#listener) this.#finish(this.#json !== null || this.#hasFrames)
    } catch (error) {
      this.#fail(failureBehind(error))
    }
  }

  /** Whether the bytes end with a whole character. */
  #isWholeText(): boolean {
    try {
      return this.#decoder.decode() === ''
    } catch {
      return false
    }
  }

  #finish(isDone: boolean): void {
    const listener = this.#listener
    listener?.end(isDone)
    this.#settle()
    const linger = setTimeout(() => this.#response.destroy(), DONE_LINGER_MS)
    linger.unref()
    this.#response.once('close', () => clearTimeout(linger))
    this.#response.resume()
  }

  #cut(cause: unknown): void {
    // Every stream closes; a failure, which records the stack, is made only where somebody still waits.
    if (!this.#listener) return
    this.#breakOff(new AgentFailure('model_interrupted', 'The connection to the model closed before the end of the answer.', { cause }))
  }

  /** Fails after the last event, which may lack only the empty line after it. */
  #breakOff(failure: AgentFailure): void {
    try {
      if (this.#listener && /[\r\n]$/.test(this.#tail)) this.#parser.feed('\n')
      if (this.#listener) this.#fail(failure)
    } catch (error) {
      this.#fail(failureBehind(error))
    }
  }

  #fail(failure: AgentFailure): void {
    this.#settle()?.fail(failure)
    this.#response.destroy()
  }

  /** Ends reading and timing. Returns the listener the first time only. */
  #settle(): EventStreamListener | undefined {
    const listener = this.#listener
    this.#listener = undefined
    clearTimeout(this.#watchdog)
    this.#removeAbortListener()
    return listener
  }

  /** Checks again when the time would be up: moving a timer with every token costs more. */
  #watch(): void {
    const { limits, sentAt } = this.#options
    const dueAt = this.#lastDataAt === undefined ? sentAt + limits.firstDataTimeoutMs : this.#lastDataAt + limits.idleTimeoutMs
    const remainingMs = dueAt - performance.now()
    if (!this.#listener) return
    // A slow listener is not the model's silence.
    if (remainingMs > 0 || this.#response.isPaused())
      this.#watchdog = setTimeout(() => this.#watch(), Math.max(remainingMs, limits.mergeDeltasMs, 1))
    else this.#breakOff(new AgentFailure('model_timeout', 'The model sent no data in time.'))
  }
}

/** Characters or bytes that wait to be read. */
const QUEUE_SIZE = 64 * 1024

/**
 * A web stream of what a listener makes of a model's events, other than those that only keep the connection open. Reads only as fast as its
 * consumer.
 */
export function streamOfEvents<Piece>(
  reader: EventStreamReader,
  listenerOf: (controller: ReadableStreamDefaultController<Piece>) => Omit<EventStreamListener, 'isFull' | 'abort'>,
  size: (piece: Piece) => number,
): ReadableStream<Piece> {
  return new ReadableStream<Piece>(
    {
      start(controller) {
        const listener = listenerOf(controller)
        reader.read({
          ...listener,
          event: (event) => isKeepAlive(event) || listener.event(event),
          isFull: () => (controller.desiredSize ?? 0) <= 0,
          abort: (reason) => controller.error(reason),
        })
      },
      pull: () => reader.resume(),
      cancel: () => reader.stop(),
    },
    { highWaterMark: QUEUE_SIZE, size },
  )
}

/** Whether the event only keeps the connection open: its data is nothing, or words such as `ping`. */
function isKeepAlive({ event, data }: EventSourceMessage): boolean {
  return event?.trim() !== 'error' && /^\s*(?:$|[^\s[{])/.test(data)
}

/** Whether the data is `[DONE]`, with or without spaces around it. */
function isDoneMarker(data: string): boolean {
  return data.length < TAIL_CHARACTERS && data.trim() === '[DONE]'
}

function tooLong(maxLineBytes: number): AgentFailure {
  return new AgentFailure('model_failed', `The model sent an event of more than ${maxLineBytes} characters.`)
}

function notUtf8(): AgentFailure {
  return new AgentFailure('model_failed', "The model's stream is not valid UTF-8.")
}
