import { createParser, type EventSourceMessage } from 'eventsource-parser'

/** The server beats every 15 s; a stream that is silent for longer than two beats has been cut without a word. */
const SILENCE_MS = 40_000

/**
 * Yields the events of a `text/event-stream` response as they arrive. Ends when the connection ends, for whatever
 * reason, also after `silenceMs` without a byte: the caller knows from the events whether that was the end.
 */
export async function* readEvents(response: Response, silenceMs = SILENCE_MS): AsyncGenerator<EventSourceMessage> {
  const events: EventSourceMessage[] = []
  const parser = createParser({ onEvent: (event) => events.push(event) })
  const reader = response.body!.getReader()
  const decoder = new TextDecoder()
  try {
    for (;;) {
      const chunk = await readWithin(reader, silenceMs)
      if (!chunk) return
      parser.feed(decoder.decode(chunk, { stream: true }))
      yield* events.splice(0)
    }
  } finally {
    // The reader may already have failed; there is nothing left to hear from it.
    reader.cancel().catch(() => undefined)
  }
}

/** The next bytes; undefined at the end, on a broken connection, and after `ms` of silence. */
async function readWithin(reader: ReadableStreamDefaultReader<Uint8Array>, ms: number): Promise<Uint8Array | undefined> {
  let timer: ReturnType<typeof setTimeout> | undefined
  const silence = new Promise<undefined>((resolve) => {
    timer = setTimeout(resolve, ms, undefined)
  })
  const read = reader.read().then(
    ({ value }) => value,
    () => undefined,
  )
  const chunk = await Promise.race([read, silence])
  clearTimeout(timer)
  return chunk
}
