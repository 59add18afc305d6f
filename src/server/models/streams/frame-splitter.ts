import { AgentFailure } from '../agent-failure.ts'

/** Each frame starts with its total length: https://docs.aws.amazon.com/transcribe/latest/dg/event-stream.html */
const LENGTH_BYTES = 4
/** Size of an empty frame. */
const SHORTEST_FRAME_BYTES = 16

/** Splits AWS's event stream into frames of at most `maxFrameBytes`. Doesn't validate their content. */
export class FrameSplitter {
  readonly #maxFrameBytes: number
  #pending: Buffer[] = []
  #pendingBytes = 0
  /** Size of the current frame; 0 until its length has arrived. */
  #wantedBytes = 0

  constructor(maxFrameBytes: number) {
    this.#maxFrameBytes = maxFrameBytes
  }

  /** Whether the bytes end with a complete frame. */
  get isBetweenFrames(): boolean {
    return this.#pendingBytes === 0
  }

  /** Throws `AgentFailure` for a frame that is too long or invalid. */
  write(chunk: Buffer, onFrame: (frame: Buffer) => void): void {
    this.#pending.push(chunk)
    this.#pendingBytes += chunk.length
    for (;;) {
      if (this.#wantedBytes === 0 && this.#pendingBytes >= LENGTH_BYTES) this.#wantedBytes = this.#length()
      if (this.#wantedBytes === 0 || this.#pendingBytes < this.#wantedBytes) return
      onFrame(this.#take())
    }
  }

  #length(): number {
    const length = this.#joined().readUInt32BE(0)
    if (length < SHORTEST_FRAME_BYTES || length > this.#maxFrameBytes)
      throw new AgentFailure('model_failed', `The model sent a frame of ${length} bytes.`)
    return length
  }

  #take(): Buffer {
    const all = this.#joined()
    const frame = all.subarray(0, this.#wantedBytes)
    const rest = all.subarray(this.#wantedBytes)
    this.#pending = rest.length > 0 ? [rest] : []
    this.#pendingBytes = rest.length
    this.#wantedBytes = 0
    return frame
  }

  #joined(): Buffer {
    const joined = Buffer.concat(this.#pending)
    this.#pending = [joined]
    return joined
  }
}
