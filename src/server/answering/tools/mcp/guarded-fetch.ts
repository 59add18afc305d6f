type Fetch = typeof globalThis.fetch

const LINE_END = 10
const END = { done: true, value: undefined } as const

export interface WatchOptions {
  maxLineBytes: number
  /** Called when a body ends or fails, unless it was cancelled. */
  onEnd: () => void
}

/**
 * Wraps `fetch` to report when the body of a GET request, an event stream, ends or fails, and to bound its lines. A failed body just
 * ends: the MCP package doesn't handle the rejection of a failed stream.
 */
export function fetchWatched(egressFetch: Fetch, options: WatchOptions): Fetch {
  return async (input, init) => {
    const response = await egressFetch(input, init)
    const isStream = (init?.method ?? 'GET') === 'GET' && response.ok && response.body !== null
    if (!isStream || !response.body) return response
    return new Response(watched(response.body, options), { status: response.status, headers: response.headers })
  }
}

function watched(body: ReadableStream<Uint8Array>, { maxLineBytes, onEnd }: WatchOptions): ReadableStream<Uint8Array> {
  const reader = body.getReader()
  const stop = () => reader.cancel().catch(() => undefined)
  let lineBytes = 0
  return new ReadableStream({
    async pull(controller) {
      const { done, value } = await reader.read().catch(() => END)
      if (value) lineBytes = value.includes(LINE_END) ? value.length : lineBytes + value.length
      if (!done && value && lineBytes <= maxLineBytes) return controller.enqueue(value)
      onEnd()
      controller.close()
      await stop()
    },
    cancel: stop,
  })
}
