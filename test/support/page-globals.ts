import { vi } from 'vitest'

/** Browser globals for a module of the page in Node: a document, a window and a server scripted by the test. */
export interface PageGlobals {
  /** Shows or hides the page, as switching tabs does. */
  show(isShown: boolean): void
  /** Replies to the next requests, one each, and to later ones with the last. */
  respond(...replies: Reply[]): void
  readonly requests: { path: string; init: RequestInit }[]
}

export type Reply = (init: RequestInit) => Response | Promise<Response>

/** Stubs the globals until `vi.unstubAllGlobals`. */
export function stubPageGlobals({ onLine = true } = {}): PageGlobals {
  const document = Object.assign(new EventTarget(), { hidden: false })
  const requests: PageGlobals['requests'] = []
  let replies: Reply[] = []
  vi.stubGlobal('document', document)
  vi.stubGlobal('window', new EventTarget())
  vi.stubGlobal('navigator', { onLine })
  vi.stubGlobal('fetch', async (path: string, init: RequestInit) => {
    requests.push({ path, init })
    const reply = replies.length > 1 ? replies.shift() : replies[0]
    if (!reply) throw new TypeError('No reply is scripted.')
    return reply(init)
  })
  return {
    requests,
    show(isShown) {
      document.hidden = !isShown
      document.dispatchEvent(new Event('visibilitychange'))
    },
    respond: (...next) => (replies = next),
  }
}

/** A stream of server-sent events that a test writes to and ends. */
export function eventStream() {
  let controller!: ReadableStreamDefaultController<Uint8Array>
  let isCancelled = false
  const body = new ReadableStream<Uint8Array>({
    start: (started) => {
      controller = started
    },
    cancel: () => {
      isCancelled = true
    },
  })
  return {
    response: new Response(body, { headers: { 'content-type': 'text/event-stream' } }),
    send: (data: unknown, id?: number) =>
      controller.enqueue(
        new TextEncoder().encode(
          `${id === undefined ? '' : `id: ${id}\n`}data: ${typeof data === 'string' ? data : JSON.stringify(data)}\n\n`,
        ),
      ),
    end: () => controller.close(),
    get isCancelled() {
      return isCancelled
    },
  }
}
