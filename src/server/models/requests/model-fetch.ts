import { headersOf } from '../../egress/send-request.ts'
import type { ModelLimits } from '../model-limits.ts'
import { EventStreamReader, streamOfEvents } from '../streams/event-stream-reader.ts'
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
    const reader = new EventStreamReader(response, { limits, sentAt, signal })
    const stream = eventStreamBody(reader, (failure) => signal && failures.set(signal, failure))
    return new Response(stream, { status: response.statusCode ?? 200, headers: headersOf(response) })
  }
}

/** The body of a model's event stream for a provider's package. A failure ends it early, and is passed to `onFailure`. */
function eventStreamBody(reader: EventStreamReader, onFailure: (failure: AgentFailure) => void): ReadableStream<Uint8Array> {
  return streamOfEvents<Uint8Array>(
    reader,
    (controller) => ({
      event: ({ event, data }) => {
        const name = event === undefined ? '' : `event: ${event}\n`
        controller.enqueue(Buffer.from(`${name}data: ${data.replaceAll('\n', '\ndata: ')}\n\n`))
      },
      bytes: (bytes) => controller.enqueue(bytes),
      end: () => controller.close(),
      fail: (failure) => {
        onFailure(failure)
        controller.close()
      },
    }),
    (chunk) => chunk.byteLength,
  )
}
