import { createParser, type EventSourceMessage } from 'eventsource-parser'
import { onAbort } from '../../contract/abort.ts'

/** The server sends a heartbeat every 15 s: a stream that is silent for longer than two is broken. */
const SILENCE_MS = 40_000
/** Maximum characters of an incomplete event; the longest event of an answer stays well below. */
const MAX_BUFFERED_CHARACTERS = 4 * 1024 * 1024

/**
 * Yields the events of a `text/event-stream` response as they arrive. Ends without an error when the connection ends or breaks, after
 * `silenceMs` without a byte, or when `signal` aborts. The events tell whether the stream was complete.
 */
export async function* readEvents(response: Response, signal?: AbortSignal, silenceMs = SILENCE_MS): AsyncGenerator<EventSourceMessage> {
  const events: EventSourceMessage[] = []
  const parser = createParser({ maxBufferSize: MAX_BUFFERED_CHARACTERS, onEvent: (event) => void events.push(event) })
  const reader = response.body!.getReader()
  const decoder = new TextDecoder()
  const cancel = () => {
    // A reader that has failed can't be cancelled.
    reader.cancel().catch(() => undefined)
  }
  const removeListener = onAbort(signal, cancel)
  const silence = new SilenceTimer(silenceMs, cancel)
  try {
    for (;;) {
      const chunk = await reader.read().catch(() => null)
      if (!chunk?.value) return
      silence.restart()
      parser.feed(decoder.decode(chunk.value, { stream: true }))
      yield* events.splice(0)
    }
  } finally {
    silence.end()
    removeListener()
    cancel()
  }
}

/** Calls `onSilence` after `ms` without a restart. Uses one timer for the whole stream instead of one for each chunk. */
class SilenceTimer {
  #sinceMs = performance.now()
  #timer: ReturnType<typeof setTimeout>
  readonly #ms: number
  readonly #onSilence: () => void

  constructor(ms: number, onSilence: () => void) {
    this.#ms = ms
    this.#onSilence = onSilence
    this.#timer = setTimeout(this.#check, ms)
  }

  restart(): void {
    this.#sinceMs = performance.now()
  }

  end(): void {
    clearTimeout(this.#timer)
  }

  #check = (): void => {
    const leftMs = this.#sinceMs + this.#ms - performance.now()
    if (leftMs <= 0) this.#onSilence()
    else this.#timer = setTimeout(this.#check, leftMs)
  }
}
