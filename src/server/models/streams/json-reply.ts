import { AgentFailure } from '../agent-failure.ts'

/** A chat completion in JSON, from endpoints that ignore the request for a stream. Their content type is not reliable. */
export class JsonReply {
  readonly #maxCharacters: number
  #kind: 'unknown' | 'json' | 'stream' = 'unknown'
  #text = ''

  constructor(maxCharacters: number) {
    this.#maxCharacters = maxCharacters
  }

  get isJson(): boolean {
    return this.#kind === 'json'
  }

  /** Collects text of a JSON reply and returns the text of an event stream. Throws `AgentFailure` when the reply is too long. */
  read(text: string): string {
    if (this.#kind === 'stream') return text
    const start = this.#kind === 'unknown' ? text.trimStart() : text
    if (this.#kind === 'unknown' && start !== '') this.#kind = start.startsWith('{') ? 'json' : 'stream'
    if (this.#kind !== 'json') return start
    this.#text += start
    if (this.#text.length > this.#maxCharacters)
      throw new AgentFailure('model_failed', `The model sent a reply of more than ${this.#maxCharacters} characters.`)
    return ''
  }

  /** Data of the only event that the reply stands for; `null` for a stream. */
  end(): string | null {
    return this.#kind === 'json' ? asEvent(this.#text) : null
  }
}

type Json = Record<string, unknown>

/** A chat completion in the form of a stream's event; other text unchanged. */
function asEvent(text: string): string {
  try {
    const reply = JSON.parse(text) as Json
    if (!Array.isArray(reply['choices'])) return text
    return JSON.stringify({ ...reply, choices: (reply['choices'] as Json[]).map(deltaOf) })
  } catch {
    return text
  }
}

function deltaOf({ message, ...choice }: Json): Json {
  const { tool_calls: calls, ...content } = (message ?? {}) as Json
  const numbered = Array.isArray(calls) ? { tool_calls: calls.map((call: Json, index) => ({ index, ...call })) } : {}
  return { ...choice, delta: { ...content, ...numbered } }
}
