import { createParser, type EventSourceMessage } from 'eventsource-parser'
import { onAbort } from '../../async/abort.ts'

/** The server sends a heartbeat every 15 s: a stream that is silent for longer than two is broken. */
const SILENCE_MS = 40_000
/** Maximum characters of an event; the longest event of an answer stays well below. */
const MAX_BUFFERED_CHARACTERS = 4 * 1024 * 1024

/**
 * Yields the events of a `text/event-stream` response as they arrive. Ends without an error when the connection ends or breaks, after
 * `silenceMs` without a byte, at an event that is too long, or when `signal` aborts. The events tell whether the stream was complete.
 */
export async function* readEvents(response: Response, signal?: AbortSignal, silenceMs = SILENCE_MS): AsyncGenerator<EventSourceMessage> {
  const events: EventSourceMessage[] = []
  const reader = response.body!.getReader()
  const cancel = () => {
    // A reader that has failed can't be cancelled.
    reader.cancel().catch(() => undefined)
  }
  const parser = createParser({
    maxBufferSize: MAX_BUFFERED_CHARACTERS,
    onEvent: (event) => void events.push(event),
    onError: ({ type }) => {
      if (type === 'max-buffer-size-exceeded') cancel()
    },
  })
  const decoder = new TextDecoder()
  const removeListener = onAbort(signal, cancel)
  let silence = setTimeout(cancel, silenceMs)
  try {
    for (;;) {
      const chunk = await reader.read().catch(() => null)
      if (!chunk?.value) return
      clearTimeout(silence)
      silence = setTimeout(cancel, silenceMs)
      parser.feed(decoder.decode(chunk.value, { stream: true }))
      yield* events.splice(0)
    }
  } finally {
    clearTimeout(silence)
    removeListener()
    cancel()
  }
}
