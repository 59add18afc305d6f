import type { EventSourceMessage } from 'eventsource-parser'
import type { ChatChunk, ChatMessage } from '../../contract/message.ts'
import { MessageBuilder } from '../../contract/message-builder.ts'
import { QUEUE_PLACE } from '../../contract/queue-position.ts'
import { REJECTION_PART, type RejectionData } from '../../contract/rejection.ts'
import { fetchTurnEvents, followTurn } from './calls.ts'
import { pauseAfter, whenShown } from './connection.ts'
import { type FailureCode, isFinal } from './failure.ts'
import { type Heard, listen } from './subscribe.ts'
import { streams } from './stream-health.ts'

/** How an answer's stream came out: at its end, refused by the server, or given up by the page. */
export type AnswerOutcome =
  | { kind: 'ended'; message: ChatMessage }
  | { kind: 'refused'; code: FailureCode; turn?: string | undefined; retryAfterS?: number | undefined }
  | { kind: 'left' }

export interface AnswerReader {
  /** The message so far, after each batch of chunks. */
  /** The prompt waits, at this place of the queue. */
  onPlace(place: number): void
  onMessage(message: ChatMessage): void
  onConnection(connection: 'live' | 'reconnecting'): void
}

/**
 * Follows an answer to its end. `first` is the response to the prompt, if there is one; when a connection drops, the turn is
 * asked again from the last event seen, after 0.5 s to 15 s, for as long as it takes. Where streams are cut off, it asks for
 * new events instead. Holds no connection while the page is hidden. Leaves when `signal` aborts.
 */
export async function followAnswer(
  start: { first?: Response; turn?: string },
  reader: AnswerReader,
  signal: AbortSignal,
): Promise<AnswerOutcome> {
  const progress = new Progress(reader, start.turn)
  let heard = start.first ? await progress.hearFirst(start.first, signal) : undefined
  for (let failures = 0; ; failures++) {
    if (progress.rejection) return { kind: 'refused', ...progress.rejection }
    if (heard?.kind === 'ended') return { kind: 'ended', message: progress.message }
    if (signal.aborted) return { kind: 'left' }
    if (heard?.kind === 'refused' && isFinal(heard.code)) return { kind: 'refused', code: heard.code }
    if (!progress.turn) return { kind: 'refused', code: navigator.onLine ? 'network' : 'offline' }
    if (progress.takeMoved()) failures = 0
    if (heard?.kind === 'broken' || heard?.kind === 'refused') {
      reader.onConnection('reconnecting')
      await pauseAfter(failures, signal)
    }
    await whenShown(signal)
    heard = await (streams.areCut ? progress.ask(progress.turn, signal) : progress.hear(progress.turn, signal))
  }
}

/** What has been read of one answer, over all of its connections. */
class Progress {
  #lastEventId = ''
  #moved = false
  #builder = new MessageBuilder()
  #reader: AnswerReader
  #turn: string | undefined
  /** Why there is no answer, said in a stream that had begun. */
  rejection: RejectionData | undefined

  constructor(reader: AnswerReader, turn: string | undefined) {
    this.#reader = reader
    this.#turn = turn
  }

  get turn(): string | undefined {
    return this.#builder.message.metadata?.turnId ?? this.#turn
  }

  get message(): ChatMessage {
    return this.#builder.finished()
  }

  /** Whether anything came since this was asked last. */
  takeMoved(): boolean {
    const moved = this.#moved
    this.#moved = false
    return moved
  }

  /** Reads the reply to the prompt. It is not let go before it has said which turn it is. */
  hearFirst(response: Response, signal: AbortSignal): Promise<Heard> {
    const connect = () => Promise.resolve({ ok: true as const, value: response })
    return listen({ connect, hear: (event) => this.#hear(event), canLeave: () => this.turn !== undefined }, signal)
  }

  hear(turn: string, signal: AbortSignal): Promise<Heard> {
    return listen({ connect: (until) => followTurn(turn, this.#lastEventId, until), hear: (event) => this.#hear(event) }, signal)
  }

  /** Asks for the next events, and waits some seconds if there are none. */
  async ask(turn: string, signal: AbortSignal): Promise<Heard> {
    const outcome = await fetchTurnEvents(turn, this.#lastEventId || '0', signal).catch(() => null)
    if (!outcome) return { kind: 'left' }
    // A server that can't be asked leaves only the stream, cut off as it may be.
    if (!outcome.ok && isFinal(outcome.code)) streams.wasWhole()
    if (!outcome.ok) return { kind: 'broken' }
    const { events, status } = outcome.value
    for (const { seq, chunk } of events) this.#take(`${seq}`, chunk)
    return { kind: status !== 'running' && events.length === 0 ? 'ended' : 'hidden' }
  }

  #hear({ id, data }: EventSourceMessage): boolean {
    if (data === '[DONE]') return true
    try {
      this.#take(id, JSON.parse(data) as ChatChunk)
    } catch (error) {
      // A chunk that a newer or broken server sent in another form is skipped; the rest still reads.
      console.error(error)
    }
    return false
  }

  #take(id: string | undefined, chunk: ChatChunk): void {
    if (chunk.type === QUEUE_PLACE) return this.#reader.onPlace((chunk as { data: number }).data)
    if (chunk.type === REJECTION_PART) this.rejection = (chunk as { data: RejectionData }).data
    if (this.rejection) return
    if (!this.#moved) this.#reader.onConnection('live')
    this.#moved = true
    if (id) this.#lastEventId = id
    this.#builder.apply(chunk)
    this.#reader.onMessage(this.#builder.message)
  }
}
