import { isUtf8 } from 'node:buffer'
import { AgentFailure } from '../answer/agent-failure.ts'

const NEWLINE = 10
const CARRIAGE_RETURN = 13

const BYTE_ORDER_MARK = '\uFEFF'

/** Splits bytes into lines of at most `maxLineBytes`, in valid UTF-8, which end with LF, CRLF or CR. A leading BOM is dropped. */
export class LineSplitter {
  readonly #maxLineBytes: number
  #pending: Buffer[] = []
  #pendingBytes = 0
  /** Whether the last chunk ended with a CR, which an LF may follow. */
  #endedWithReturn = false
  #isFirst = true

  constructor(maxLineBytes: number) {
    this.#maxLineBytes = maxLineBytes
  }

  /** Throws `AgentFailure` for a line that is too long or no UTF-8. */
  write(chunk: Buffer, onLine: (line: string) => void): void {
    let start = this.#endedWithReturn && chunk[0] === NEWLINE ? 1 : 0
    if (chunk.length > 0) this.#endedWithReturn = false
    let newline = chunk.indexOf(NEWLINE, start)
    let carriageReturn = chunk.indexOf(CARRIAGE_RETURN, start)
    while (newline >= 0 || carriageReturn >= 0) {
      const isReturn = newline < 0 || (carriageReturn >= 0 && carriageReturn < newline)
      const end = isReturn ? carriageReturn : newline
      onLine(this.#take(chunk.subarray(start, end)))
      start = isReturn && chunk[end + 1] === NEWLINE ? end + 2 : end + 1
      if (isReturn) this.#endedWithReturn = end === chunk.length - 1
      // Each is looked for once: a chunk has thousands of one and none of the other.
      if (newline >= 0 && newline < start) newline = chunk.indexOf(NEWLINE, start)
      if (carriageReturn >= 0 && carriageReturn < start) carriageReturn = chunk.indexOf(CARRIAGE_RETURN, start)
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
    const text = line.toString('utf8')
    const hasMark = this.#isFirst && text.startsWith(BYTE_ORDER_MARK)
    this.#isFirst = false
    return hasMark ? text.slice(1) : text
  }
}

function tooLong(maxLineBytes: number): AgentFailure {
  return new AgentFailure('model_failed', `The model sent a line of more than ${maxLineBytes} bytes.`)
}
