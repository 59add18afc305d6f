import type { ChatChunk } from '../../contract/message.ts'

/** One event of a turn, numbered from 1 without gaps. `frame` is the event as server-sent event, made once for all followers. */
export interface TurnEvent {
  seq: number
  chunk: ChatChunk
  frame: string
}

/** What one read yields at most, in UTF-16 code units: a slow reader holds no more than this beside the log itself. */
const MAX_BATCH_CHARACTERS = 32 * 1024

/** Events that show nothing by themselves wait this long for one that does, so that a quick answer is one write and not five. */
const QUIET_DELAY_MS = 10
const QUIET_CHUNKS: readonly ChatChunk['type'][] = ['start', 'start-step', 'text-start', 'text-end', 'reasoning-start', 'finish-step']

/**
 * The events of one running turn, kept until it ends. Its size is bounded by the limits of an answer.
 * One writer, any number of followers, each at its own pace: a follower reads by position and owns no queue.
 */
export class TurnLog {
  readonly #events: TurnEvent[] = []
  readonly #waiting = new Set<() => void>()
  /** How many events followers may read; the others wait to go out together with these. */
  #published = 0
  #publishing: ReturnType<typeof setTimeout> | undefined
  #ended = false

  append(chunk: ChatChunk): TurnEvent {
    if (this.#ended) throw new Error('A turn that has ended takes no more events')
    const seq = this.#events.length + 1
    const event = { seq, chunk, frame: frameOf(seq, chunk) }
    this.#events.push(event)
    if (QUIET_CHUNKS.includes(chunk.type)) this.#publishing ??= setTimeout(() => this.#publish(), QUIET_DELAY_MS)
    else this.#publish()
    return event
  }

  end(): void {
    this.#ended = true
    this.#publish()
  }

  /**
   * Yields every event with `seq > after` in batches: those already there first, then live ones.
   * Ends after the turn's last event, or when `signal` aborts.
   */
  async *follow(after: number, signal: AbortSignal): AsyncGenerator<TurnEvent[]> {
    let position = Math.min(after, this.#events.length)
    while (!signal.aborted) {
      const batch = this.#batch(position)
      if (batch.length > 0) {
        position += batch.length
        yield batch
      } else if (this.#ended) return
      else await this.#next(signal)
    }
  }

  #batch(position: number): TurnEvent[] {
    let end = position
    let characters = 0
    while (end < this.#published && characters < MAX_BATCH_CHARACTERS) {
      characters += (this.#events[end] as TurnEvent).frame.length
      end += 1
    }
    return this.#events.slice(position, end)
  }

  #next(signal: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      const wake = () => {
        signal.removeEventListener('abort', wake)
        this.#waiting.delete(wake)
        resolve()
      }
      signal.addEventListener('abort', wake)
      this.#waiting.add(wake)
    })
  }

  #publish(): void {
    clearTimeout(this.#publishing)
    this.#publishing = undefined
    this.#published = this.#events.length
    for (const wake of this.#waiting) wake()
  }
}

/** A server-sent event; JSON has no raw line breaks, so a text can never end the event or forge another. */
export function frameOf(seq: number | null, chunk: ChatChunk): string {
  return `${seq === null ? '' : `id: ${seq}\n`}data: ${JSON.stringify(chunk)}\n\n`
}
