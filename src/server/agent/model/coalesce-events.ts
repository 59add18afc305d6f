import type { MergePace } from './merge-pace.ts'

/**
 * Merges the events of an OpenAI chat stream that only carry a piece of text into one event every `intervalMs` of the pace,
 * the first at once.
 *
 * A provider of the SDK spends far more on an event (three web streams, a JSON parse, a schema check) than a proxy spends
 * on passing its bytes, and models send one for each token. Merging deltas behind the provider comes too late to save that.
 *
 * Events are merged as text: two that are equal up to the string in `delta.content` (or `reasoning_content`, `reasoning`)
 * become one with both strings joined, escapes and all. Whatever is not understood passes untouched, in its place.
 * Lines are latin1 strings: one character is one byte, so that nothing is decoded and encoded again.
 */
export class EventCoalescer {
  readonly #pace: Pick<MergePace, 'intervalMs'>
  readonly #write: (text: string) => void
  #template: Template | undefined
  #held = ''
  #timer: ReturnType<typeof setTimeout> | undefined
  #lastWriteAt = Number.NEGATIVE_INFINITY
  /** Lines of the event that is arriving. */
  #lines: string[] = []

  constructor(pace: Pick<MergePace, 'intervalMs'>, write: (text: string) => void) {
    this.#pace = pace
    this.#write = write
  }

  /** Takes one line without its end; an empty line ends an event. Comments must have been left out. */
  line(line: string): void {
    if (line !== '') this.#lines.push(line)
    else if (this.#lines.length > 0) this.#event()
  }

  /** Lets out what is held, and an event without its empty line. */
  end(): void {
    if (this.#lines.length > 0) this.#event()
    this.flush()
  }

  flush(): void {
    clearTimeout(this.#timer)
    if (this.#held === '' || !this.#template) return
    this.#write(`${this.#template.prefix}${this.#held}${this.#template.suffix}\n\n`)
    this.#held = ''
    this.#lastWriteAt = performance.now()
  }

  /** Drops what is held. */
  cancel(): void {
    clearTimeout(this.#timer)
    this.#held = ''
  }

  #event(): void {
    const [line = ''] = this.#lines
    const piece = this.#lines.length === 1 ? this.#pieceOf(line) : undefined
    if (piece === undefined) {
      this.flush()
      this.#write(`${this.#lines.join('\n')}\n\n`)
    } else {
      this.#hold(piece)
    }
    this.#lines = []
  }

  #hold(piece: string): void {
    const isFirst = this.#held === ''
    this.#held += piece
    if (!isFirst) return
    const waitMs = this.#lastWriteAt + this.#pace.intervalMs - performance.now()
    if (waitMs <= 0) this.flush()
    else this.#timer = setTimeout(() => this.flush(), waitMs)
  }

  /** The raw string that the event carries, when it carries nothing else. May change the template, after letting out what is held. */
  #pieceOf(line: string): string | undefined {
    const event = withoutPadding(line)
    const known = this.#template && pieceIn(event, this.#template)
    if (known !== undefined) return known
    const template = templateOf(event)
    if (!template) return undefined
    this.flush()
    this.#template = template
    return pieceIn(event, template)
  }
}

interface Template {
  prefix: string
  suffix: string
}

const BACKSLASH = 92
const PADDING = /,"obfuscation":"[A-Za-z0-9]*"/

/** OpenAI pads each event to a random length, against guessing the text from the sizes; only on the wire does it mean anything. */
function withoutPadding(line: string): string {
  return line.includes('"obfuscation"') ? line.replace(PADDING, '') : line
}

function pieceIn(event: string, { prefix, suffix }: Template): string | undefined {
  if (event.length <= prefix.length + suffix.length || !event.startsWith(prefix) || !event.endsWith(suffix)) return undefined
  const piece = event.slice(prefix.length, event.length - suffix.length)
  return isInsideOfString(piece) ? piece : undefined
}

/** True when the text, between two quotes, is one JSON string: no quote in it that is not escaped, and no escape cut off. */
function isInsideOfString(text: string): boolean {
  if (!text.includes('"') && !text.includes('\\')) return true
  for (let index = 0; index < text.length; index += 1) {
    if (text.charCodeAt(index) === BACKSLASH) index += 1
    else if (text[index] === '"') return false
    if (index >= text.length) return false
  }
  return true
}

const TEXT_FIELD = /"(content|reasoning_content|reasoning)":\s*"/
/** A text that no model writes, to see where a template puts it. */
const PROBE = '\u0001probe\u0001'

/** What stands around the text of an event that carries nothing but text; undefined for any other event. */
function templateOf(event: string): Template | undefined {
  const field = TEXT_FIELD.exec(event)
  if (!field || !event.startsWith('data:')) return undefined
  const start = field.index + field[0].length
  const end = endOfString(event, start)
  if (end === undefined) return undefined
  const template = { prefix: event.slice(0, start), suffix: event.slice(end) }
  return carriesOnlyText(template, field[1] ?? '') ? template : undefined
}

function endOfString(text: string, start: number): number | undefined {
  for (let index = start; index < text.length; index += 1) {
    if (text.charCodeAt(index) === BACKSLASH) index += 1
    else if (text[index] === '"') return index
  }
  return undefined
}

interface ChatEvent {
  choices?: { delta?: Record<string, unknown>; finish_reason?: unknown; logprobs?: unknown }[]
  usage?: unknown
  error?: unknown
}

function carriesOnlyText({ prefix, suffix }: Template, field: string): boolean {
  const event = parse(`${prefix.slice('data:'.length)}${JSON.stringify(PROBE).slice(1, -1)}${suffix}`)
  const [choice, ...others] = event?.choices ?? []
  if (!event || !choice?.delta || others.length > 0) return false
  const { [field]: text, role: _, ...rest } = choice.delta
  const further = [...Object.values(rest), choice.finish_reason, choice.logprobs, event.usage, event.error]
  return text === PROBE && further.every((value) => value === null || value === undefined)
}

function parse(json: string): ChatEvent | undefined {
  try {
    return JSON.parse(json) as ChatEvent
  } catch {
    return undefined
  }
}
