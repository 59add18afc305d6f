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
  try {
    for (;;) {
      const chunk = await readWithin(reader, silenceMs)
      if (!chunk) return
      yield* lines.read(decoder.decode(chunk, { stream: true }))
    }
  } finally {
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
