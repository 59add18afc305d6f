import type { IncomingMessage } from 'node:http'
import type { EventSourceMessage } from 'eventsource-parser'
import type { AgentFailure } from '../agent-failure.ts'
import { UNREADABLE_FRAME } from './event-frame.ts'
import { type EventStreamListener, type EventStreamOptions, EventStreamReader, hasFrames } from './event-stream-reader.ts'
import { UNREADABLE_EVENT } from '../requests/stream-failures.ts'

const QUEUE_BYTES = 64 * 1024

export interface BodyOptions extends EventStreamOptions {
  /** Called with the reason if the body ends early; it then ends with an unreadable event. */
  onFailure: (failure: AgentFailure) => void
}

/**
 * Creates the response body of a model's event stream for a provider's package. A failure of `EventStreamReader` ends it with an
 * unreadable event.
 */
export function eventStreamBody(response: IncomingMessage, options: BodyOptions): ReadableStream<Uint8Array> {
  const reader = new EventStreamReader(response, options)
  return new ReadableStream<Uint8Array>(
    {
      start: (controller) =>
        reader.read(
          new EventStreamBody(controller, {
            onFailure: options.onFailure,
            unreadable: hasFrames(response) ? UNREADABLE_FRAME : Buffer.from(UNREADABLE_EVENT),
          }),
        ),
      pull: () => reader.resume(),
      cancel: () => reader.stop(),
    },
    { highWaterMark: QUEUE_BYTES, size: (chunk) => chunk.byteLength },
  )
}

interface BrokenOff {
  onFailure: BodyOptions['onFailure']
  /** The unreadable event. */
  unreadable: Buffer
}

class EventStreamBody implements EventStreamListener {
  readonly #controller: ReadableStreamDefaultController<Uint8Array>
  readonly #options: BrokenOff

  constructor(controller: ReadableStreamDefaultController<Uint8Array>, options: BrokenOff) {
    this.#controller = controller
    this.#options = options
  }

  event({ event, data }: EventSourceMessage): void {
    const name = event === undefined ? '' : `event: ${event}\n`
    this.#controller.enqueue(Buffer.from(`${name}data: ${data.replaceAll('\n', '\ndata: ')}\n\n`))
  }

  frame(frame: Buffer): void {
    this.#controller.enqueue(frame)
  }

  isFull(): boolean {
    return (this.#controller.desiredSize ?? 0) <= 0
  }

  end(): void {
    this.#controller.close()
  }

  fail(failure: AgentFailure): void {
    this.#options.onFailure(failure)
    this.#controller.enqueue(this.#options.unreadable)
    this.#controller.close()
  }

  abort(reason: unknown): void {
    this.#controller.error(reason)
  }
}
