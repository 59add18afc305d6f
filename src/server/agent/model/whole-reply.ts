import { AgentFailure } from '../answer/agent-failure.ts'

/**
 * A chat completion in JSON, sent by servers that do not stream what was asked for as a stream.
 * Recognised by its first line, whatever its content type says.
 */
export class WholeReply {
  readonly #maxCharacters: number
  #lines: string[] | undefined
  #characters = 0
  #isStream = false

  constructor(maxCharacters: number) {
    this.#maxCharacters = maxCharacters
  }

  /** Returns whether the line is part of one. Throws `AgentFailure` when it is too long. */
  takes(line: string): boolean {
    if (this.#isStream) return false
    if (!this.#lines && line.trim() === '') return false
    this.#isStream = !this.#lines && !line.trimStart().startsWith('{')
    if (this.#isStream) return false
    this.#characters += line.length
    if (this.#characters > this.#maxCharacters)
      throw new AgentFailure('model_failed', `The model sent a reply of more than ${this.#maxCharacters} characters.`)
    this.#lines ??= []
    this.#lines.push(line)
    return true
  }

  /** The lines of the event stream that the reply stands for; none for a stream. */
  end(): string[] {
    if (!this.#lines) return []
    const text = this.#lines.join('')
    this.#isStream = true
    return [`data: ${asEvent(text)}`, '', 'data: [DONE]']
  }
}

type Json = Record<string, unknown>

/** A chat completion as the only event of its stream; anything else as it is, for the reader to judge. */
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
  const { tool_calls: calls, ...said } = (message ?? {}) as Json
  const numbered = Array.isArray(calls) ? { tool_calls: calls.map((call: Json, index) => ({ index, ...call })) } : {}
  return { ...choice, delta: { ...said, ...numbered } }
}
