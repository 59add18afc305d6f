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

  /** The reply, which is the data of the only event; `null` for a stream. */
  end(): string | null {
    return this.isJson ? this.#text : null
  }
}
