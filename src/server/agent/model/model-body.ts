import type { IncomingMessage } from 'node:http'
import type { AgentFailure } from '../agent-failure.ts'
import { type EventStreamListener, type EventStreamOptions, EventStreamReader } from './event-stream.ts'
import { UNREADABLE_EVENT } from './stream-failures.ts'

const QUEUE_BYTES = 64 * 1024

export interface BodyOptions extends EventStreamOptions {
  /** Hears why the body ended early; the body then ends with `UNREADABLE_EVENT`. */
  onFailure: (failure: AgentFailure) => void
}

/** The body of a model's event stream, for a provider of the SDK. What `EventStreamReader` calls a failure ends it with an event that cannot be read. */
export function eventStreamBody(response: IncomingMessage, options: BodyOptions): ReadableStream<Uint8Array> {
  const reader = new EventStreamReader(response, options)
  return new ReadableStream<Uint8Array>(
    {
      start: (controller) => reader.read(new EventStreamBody(controller, options.onFailure)),
      pull: () => reader.resume(),
      cancel: () => reader.stop(),
    },
    { highWaterMark: QUEUE_BYTES, size: (chunk) => chunk.byteLength },
  )
}

class EventStreamBody implements EventStreamListener {
  readonly #controller: ReadableStreamDefaultController<Uint8Array>
  readonly #onFailure: (failure: AgentFailure) => void
  /** Lines of the event that is arriving. */
  #lines: string[] = []

  constructor(controller: ReadableStreamDefaultController<Uint8Array>, onFailure: (failure: AgentFailure) => void) {
    this.#controller = controller
    this.#onFailure = onFailure
  }

  line(line: string): void {
    if (line !== '') this.#lines.push(line)
    else this.#flush()
  }

  isFull(): boolean {
    return (this.#controller.desiredSize ?? 0) <= 0
  }

  end(): void {
    this.#flush()
    this.#controller.close()
  }

  fail(failure: AgentFailure): void {
    this.#onFailure(failure)
    this.#flush()
    this.#controller.enqueue(Buffer.from(UNREADABLE_EVENT))
    this.#controller.close()
  }

  abort(reason: unknown): void {
    this.#controller.error(reason)
  }

  #flush(): void {
    if (this.#lines.length > 0) this.#controller.enqueue(Buffer.from(`${this.#lines.join('\n')}\n\n`))
    this.#lines = []
  }
}
