import { isUtf8 } from 'node:buffer'
import { AgentFailure } from '../agent-failure.ts'

const NEWLINE = 10
const CARRIAGE_RETURN = 13

/** Splits bytes into lines of at most `maxLineBytes`, in valid UTF-8, given on without their ends. */
export class LineSplitter {
  readonly #maxLineBytes: number
  #pending: Buffer[] = []
  #pendingBytes = 0

  constructor(maxLineBytes: number) {
    this.#maxLineBytes = maxLineBytes
  }

  /** Throws `AgentFailure` for a line that is too long or no UTF-8. */
  write(chunk: Buffer, onLine: (line: string) => void): void {
    let start = 0
    for (let end = chunk.indexOf(NEWLINE); end >= 0; end = chunk.indexOf(NEWLINE, start)) {
      onLine(this.#take(chunk.subarray(start, end)))
      start = end + 1
    }
    if (start < chunk.length) this.#keep(chunk.subarray(start))
  }

  /** The last line, when its end never came. */
  end(): string {
    return this.#take(Buffer.alloc(0))
  }

  #keep(rest: Buffer): void {
    this.#pending.push(rest)
    this.#pendingBytes += rest.length
    if (this.#pendingBytes > this.#maxLineBytes) throw tooLong(this.#maxLineBytes)
  }

  #take(end: Buffer): string {
    const line = this.#pendingBytes === 0 ? end : Buffer.concat([...this.#pending, end])
    if (this.#pendingBytes > 0) this.#pending = []
    this.#pendingBytes = 0
    if (line.length > this.#maxLineBytes) throw tooLong(this.#maxLineBytes)
    if (!isUtf8(line)) throw new AgentFailure('model_failed', "The model's stream is not valid UTF-8.")
    return line.toString('utf8', 0, line.at(-1) === CARRIAGE_RETURN ? line.length - 1 : line.length)
  }
}

function tooLong(maxLineBytes: number): AgentFailure {
  return new AgentFailure('model_failed', `The model sent a line of more than ${maxLineBytes} bytes.`)
}
