/** The server beats every 15 s; a stream that is silent for longer than two beats has been cut without a word. */
const SILENCE_MS = 40_000
/** Longest line that is waited for; an answer's longest event stays well below. */
const LONGEST_LINE_CHARACTERS = 4 * 1024 * 1024

/** One event of a `text/event-stream`; `retry` has no use here. */
export interface StreamEvent {
  type?: string
  id?: string
  data: string
}

/**
 * Yields the events of a `text/event-stream` response as they arrive. Ends when the connection ends, for whatever
 * reason, also after `silenceMs` without a byte: the caller knows from the events whether that was the end.
 * Ends when `signal` aborts, too.
 */
export async function* readEvents(response: Response, signal?: AbortSignal, silenceMs = SILENCE_MS): AsyncGenerator<StreamEvent> {
  const lines = new EventLines()
  const reader = response.body!.getReader()
  const decoder = new TextDecoder()
  // The reader may already have failed; there is nothing left to hear from it.
  const cancel = () => {
    reader.cancel().catch(() => undefined)
  }
  if (signal?.aborted) cancel()
  signal?.addEventListener('abort', cancel)
  const silence = new Silence(silenceMs, cancel)
  try {
    for (;;) {
      const chunk = await reader.read().catch(() => null)
      if (!chunk?.value) return
      silence.broken()
      yield* lines.read(decoder.decode(chunk.value, { stream: true }))
    }
  } finally {
    silence.end()
    signal?.removeEventListener('abort', cancel)
    cancel()
  }
}

/** Makes events of pieces of text, by the WHATWG's rules. A library for this weighs as much as the rest of this folder. */
class EventLines {
  #rest = ''
  #type: string | undefined
  #id: string | undefined
  #data: string[] = []

  read(text: string): StreamEvent[] {
    this.#rest += text
    // A carriage return at the end may be the first half of a line's end.
    const lines = this.#rest.split(/\r\n|\n|\r(?!$)/)
    this.#rest = (lines.pop() ?? '').slice(0, LONGEST_LINE_CHARACTERS)
    return lines.flatMap((line) => this.#line(line))
  }

  #line(line: string): StreamEvent[] {
    if (line === '') return this.#end()
    const [, field, value = ''] = /^([^:]*)(?:: ?(.*))?$/s.exec(line) ?? []
    if (field === 'data') this.#data.push(value)
    if (field === 'event') this.#type = value
    if (field === 'id' && !value.includes('\0')) this.#id = value
    return []
  }

  #end(): StreamEvent[] {
    const data = this.#data.splice(0)
    const [type, id] = [this.#type, this.#id]
    this.#type = this.#id = undefined
    if (data.length === 0) return []
    return [{ data: data.join('\n'), ...(type !== undefined && { type }), ...(id !== undefined && { id }) }]
  }
}

/** Calls `act` after `ms` in which it was not `broken`. One timer for all of a stream, not one for each piece. */
class Silence {
  #sinceMs = performance.now()
  #timer: ReturnType<typeof setTimeout>
  readonly #ms: number
  readonly #act: () => void

  constructor(ms: number, act: () => void) {
    this.#ms = ms
    this.#act = act
    this.#timer = setTimeout(this.#look, ms)
  }

  broken(): void {
    this.#sinceMs = performance.now()
  }

  end(): void {
    clearTimeout(this.#timer)
  }

  #look = (): void => {
    const left = this.#sinceMs + this.#ms - performance.now()
    if (left <= 0) this.#act()
    else this.#timer = setTimeout(this.#look, left)
  }
}
