import { crc32 } from 'node:zlib'
import type { IncomingMessage } from 'node:http'
import type { EventSourceMessage } from 'eventsource-parser'
import type { AgentFailure } from '../agent-failure.ts'
import { type EventStreamListener, type EventStreamOptions, EventStreamReader, hasFrames, isKeepAlive } from './event-stream-reader.ts'
import { UNREADABLE_EVENT } from '../requests/stream-failures.ts'

/** Header type: string. */
const STRING = 7
/** Lengths and their checksum come before the headers; a checksum of everything after the payload. */
const PRELUDE_BYTES = 12
const CHECKSUM_BYTES = 4

/** A frame of AWS's event stream, https://docs.aws.amazon.com/transcribe/latest/dg/event-stream.html. */
export function eventFrame(headers: Record<string, string>, payload: string): Buffer {
  const head = Buffer.concat(Object.entries(headers).map(([name, value]) => header(name, value)))
  const body = Buffer.from(payload)
  const frame = Buffer.alloc(PRELUDE_BYTES + head.length + body.length + CHECKSUM_BYTES)
  frame.writeUInt32BE(frame.length, 0)
  frame.writeUInt32BE(head.length, 4)
  frame.writeUInt32BE(crc32(frame.subarray(0, 8)), 8)
  head.copy(frame, PRELUDE_BYTES)
  body.copy(frame, PRELUDE_BYTES + head.length)
  frame.writeUInt32BE(crc32(frame.subarray(0, -CHECKSUM_BYTES)), frame.length - CHECKSUM_BYTES)
  return frame
}

function header(name: string, value: string): Buffer {
  const length = Buffer.alloc(2)
  length.writeUInt16BE(Buffer.byteLength(value))
  return Buffer.concat([Buffer.from([name.length]), Buffer.from(name), Buffer.from([STRING]), length, Buffer.from(value)])
}

/** A valid frame without JSON, so that the provider's package reports an error in its place. */
export const UNREADABLE_FRAME = eventFrame({ ':message-type': 'event', ':event-type': 'broken' }, 'the stream broke here')

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
    if (isKeepAlive({ event, data })) return
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
