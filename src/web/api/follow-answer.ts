import type { ChatChunk, ChatMessage } from '../../contract/message.ts'
import { MessageBuilder } from '../../contract/message-builder.ts'
import { followTurn } from './calls.ts'
import { readEvents } from './event-stream.ts'
import type { FailureCode } from './failure.ts'

const FIRST_PAUSE_MS = 1_000
const LONGEST_PAUSE_MS = 15_000

/** How an answer's stream came out: at its end, refused by the server, or given up by the page. */
export type AnswerOutcome = { kind: 'ended'; message: ChatMessage } | { kind: 'refused'; code: FailureCode } | { kind: 'left' }

export interface AnswerReader {
  /** The message so far, after each batch of chunks. */
  onMessage(message: ChatMessage): void
  onConnection(connection: 'live' | 'reconnecting'): void
}

/**
 * Follows an answer to its end. `first` is the response to the prompt, if there is one; when a connection drops, the turn is
 * asked again from the last event seen, after 1 s to 15 s, for as long as it takes. Leaves when `signal` aborts.
 */
export async function followAnswer(
  start: { first?: Response; turn?: string },
  reader: AnswerReader,
  signal: AbortSignal,
): Promise<AnswerOutcome> {
  const progress = new Progress(reader)
  let response = start.first
  for (let failures = 0; ; failures++) {
    if (response) {
      if (await progress.read(response, signal)) return { kind: 'ended', message: progress.message }
      if (progress.moved) failures = 0
    }
    if (signal.aborted) return { kind: 'left' }
    const turn = progress.message.metadata?.turnId ?? start.turn
    if (!turn) return { kind: 'refused', code: navigator.onLine ? 'network' : 'offline' }
    if (response || failures > 0) {
      reader.onConnection('reconnecting')
      await pause(failures, signal)
    }
    const outcome = await followTurn(turn, progress.lastEventId, signal).catch(() => null)
    if (!outcome) return { kind: 'left' }
    if (!outcome.ok && isFinal(outcome.code)) return { kind: 'refused', code: outcome.code }
    response = outcome.ok ? outcome.value : undefined
  }
}

/** What has been read of one answer, over all of its connections. */
class Progress {
  lastEventId = ''
  /** Whether the last connection brought anything. */
  moved = false
  #builder = new MessageBuilder()
  #reader: AnswerReader

  constructor(reader: AnswerReader) {
    this.#reader = reader
  }

  get message(): ChatMessage {
    return this.#builder.finished()
  }

  /** Reads one connection; true when the answer's end was among its events. */
  async read(response: Response, signal: AbortSignal): Promise<boolean> {
    this.moved = false
    for await (const event of readEvents(response)) {
      if (signal.aborted) return false
      if (!this.moved) this.#reader.onConnection('live')
      this.moved = true
      if (event.data === '[DONE]') return true
      this.#apply(event.data)
      if (event.id) this.lastEventId = event.id
      this.#reader.onMessage(this.#builder.message)
    }
    return false
  }

  #apply(data: string): void {
    try {
      this.#builder.apply(JSON.parse(data) as ChatChunk)
    } catch (error) {
      // A chunk that a newer or broken server sent in another form is skipped; the rest still reads.
      console.error(error)
    }
  }
}

/** Whether asking again can't help: the turn is gone or not ours. */
function isFinal(code: FailureCode): boolean {
  return code === 'not_found' || code === 'unauthorized' || code === 'invalid_id' || code === 'invalid_request'
}

/** Waits before the next attempt, longer each time; being online again ends the wait. */
function pause(failures: number, signal: AbortSignal): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  const longest = Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** failures)
  const timer = setTimeout(resolve, Math.max(FIRST_PAUSE_MS, longest * (0.75 + Math.random() / 4)))
  const done = () => resolve()
  addEventListener('online', done, { once: true })
  signal.addEventListener('abort', done, { once: true })
  return promise.finally(() => {
    clearTimeout(timer)
    removeEventListener('online', done)
    signal.removeEventListener('abort', done)
  })
}
