import type { IncomingMessage } from 'node:http'
import type { ModelLimits } from '../model-limits.ts'
import { type EventStreamListener, type EventStreamOptions, EventStreamReader, isKeepAlive } from '../streams/event-stream-reader.ts'
import type { SendToModel } from './model-request.ts'
import type { AgentFailure } from '../agent-failure.ts'

type Fetch = typeof globalThis.fetch

/**
 * Failures of models' streams by the signals of their calls. A web stream that errors discards its queue and those of all streams behind
 * it, so a body that breaks off just ends, and what has failed is found here after all its text.
 */
export type StreamFailures = WeakMap<AbortSignal, AgentFailure>

export interface ModelFetchOptions {
  limits: ModelLimits
  send: SendToModel
  failures: StreamFailures
}

/** The `fetch` for the providers' packages: resolves and rejects as `send` does; the body ends as `eventStreamBody` describes. */
export function createModelFetch({ limits, send, failures }: ModelFetchOptions): Fetch {
  return async (input, init = {}) => {
    const url = new URL(input instanceof Request ? input.url : input)
    const signal = init.signal ?? undefined
    const body = typeof init.body === 'string' ? init.body : undefined
    const headers = Object.fromEntries(new Headers(init.headers))
    const { response, sentAt } = await send({ url, method: init.method ?? 'GET', headers, body, signal })
    const onFailure = (failure: AgentFailure) => void (signal && failures.set(signal, failure))
    const stream = eventStreamBody(response, { limits, sentAt, signal, onFailure })
    return new Response(stream, { status: response.statusCode ?? 200, headers: headersOf(response) })
  }
}

function headersOf(response: IncomingMessage): Headers {
  const headers = new Headers()
  for (const [name, values] of Object.entries(response.headersDistinct)) for (const value of values ?? []) headers.append(name, value)
  return headers
}

const QUEUE_BYTES = 64 * 1024

interface BodyOptions extends EventStreamOptions {
  /** Called with the reason if the body ends early. */
  onFailure: (failure: AgentFailure) => void
}

/** The body of a model's event stream for a provider's package. A failure ends it early. */
function eventStreamBody(response: IncomingMessage, options: BodyOptions): ReadableStream<Uint8Array> {
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
