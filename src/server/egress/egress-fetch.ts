import type { Readable } from 'node:stream'
import type { Egress } from './egress.ts'

type Fetch = typeof globalThis.fetch

const BODYLESS_STATUSES = [101, 204, 205, 304]

/** A `fetch` for libraries, which sends every request through `egress`. Bodies are text or bytes; other options are ignored. */
export function createEgressFetch(egress: Egress): Fetch {
  return async (input, init = {}) => {
    const url = new URL(input instanceof Request ? input.url : input)
    const headers = Object.fromEntries(new Headers(init.headers))
    const reply = await egress({ url, method: init.method, headers, body: bodyOf(init.body), signal: init.signal ?? undefined })
    if (!BODYLESS_STATUSES.includes(reply.status))
      return new Response(webStreamOf(reply.body), { status: reply.status, headers: reply.headers })
    reply.body.resume()
    return new Response(null, { status: reply.status, headers: reply.headers })
  }
}

/** Converts to a web stream. Node's own adapter throws an uncaught error if the reader cancels while data arrives. */
export function webStreamOf(readable: Readable): ReadableStream<Uint8Array<ArrayBuffer>> {
  const chunks = readable[Symbol.asyncIterator]()
  return new ReadableStream({
    async pull(controller) {
      const { done, value } = (await chunks.next()) as IteratorResult<Uint8Array<ArrayBuffer>, undefined>
      if (done) controller.close()
      else controller.enqueue(value)
    },
    cancel() {
      readable.destroy()
    },
  })
}

function bodyOf(body: RequestInit['body']): string | Uint8Array | undefined {
  if (body === undefined || body === null) return undefined
  if (typeof body === 'string' || body instanceof Uint8Array) return body
  if (body instanceof URLSearchParams) return body.toString()
  throw new TypeError('Only text and bytes can be sent.')
}
