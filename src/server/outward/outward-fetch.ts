import { Readable } from 'node:stream'
import type { Outward } from './outward.ts'

type Fetch = typeof globalThis.fetch

const BODYLESS_STATUSES = [101, 204, 205, 304]

/** A `fetch` for libraries that want one, whose every request goes through `outward`. Bodies are text or bytes; options that it does not know have no effect. */
export function createOutwardFetch(outward: Outward): Fetch {
  return async (input, init = {}) => {
    const url = new URL(input instanceof Request ? input.url : input)
    const headers = Object.fromEntries(new Headers(init.headers))
    const reply = await outward({ url, method: init.method, headers, body: bodyOf(init.body), signal: init.signal ?? undefined })
    if (!BODYLESS_STATUSES.includes(reply.status))
      return new Response(Readable.toWeb(reply.body) as ReadableStream<Uint8Array<ArrayBuffer>>, {
        status: reply.status,
        headers: reply.headers,
      })
    reply.body.resume()
    return new Response(null, { status: reply.status, headers: reply.headers })
  }
}

function bodyOf(body: RequestInit['body']): string | Uint8Array | undefined {
  if (body === undefined || body === null) return undefined
  if (typeof body === 'string' || body instanceof Uint8Array) return body
  if (body instanceof URLSearchParams) return body.toString()
  throw new TypeError('Only text and bytes can be sent.')
}
