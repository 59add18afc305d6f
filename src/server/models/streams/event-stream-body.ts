import type { IncomingMessage } from 'node:http'
import type { AgentFailure } from '../agent-failure.ts'
import { type EventStreamListener, type EventStreamOptions, EventStreamReader, isKeepAlive } from './event-stream-reader.ts'

const QUEUE_BYTES = 64 * 1024

export interface BodyOptions extends EventStreamOptions {
  /** Called with the reason if the body ends early. */
  onFailure: (failure: AgentFailure) => void
}

/** The body of a model's event stream for a provider's package. A failure ends it early. */
export function eventStreamBody(response: IncomingMessage, options: BodyOptions): ReadableStream<Uint8Array> {
  const reader = new EventStreamReader(response, options)
  const listenerOf = (controller: ReadableStreamDefaultController<Uint8Array>): EventStreamListener => ({
    event: ({ event, data }) => {
      if (isKeepAlive({ event, data })) return
      const name = event === undefined ? '' : `event: ${event}\n`
      controller.enqueue(Buffer.from(`${name}data: ${data.replaceAll('\n', '\ndata: ')}\n\n`))
    },
    bytes: (bytes) => controller.enqueue(bytes),
    isFull: () => (controller.desiredSize ?? 0) <= 0,
    end: () => controller.close(),
    fail: (failure) => {
      options.onFailure(failure)
      controller.close()
    },
    abort: (reason) => controller.error(reason),
  })
  return new ReadableStream<Uint8Array>(
    {
      start: (controller) => reader.read(listenerOf(controller)),
      pull: () => reader.resume(),
      cancel: () => reader.stop(),
    },
    { highWaterMark: QUEUE_BYTES, size: (chunk) => chunk.byteLength },
  )
}
