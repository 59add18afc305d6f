import type { EventSourceMessage } from 'eventsource-parser'
import type { ChatChunk, ChatMessage } from '../../contract/chat/message.ts'
import { MessageBuilder } from '../../contract/chat/message-builder.ts'
import { fetchTurnEvents, followTurn } from './calls.ts'
import { pauseAfter, whenShown } from './connection.ts'
import { type FailureCode, isFinal } from './failure.ts'
import { type StreamEnd, readStream } from './subscribe.ts'
import { streams } from './stream-health.ts'

/** How following an answer ended: complete, rejected by the server, or abandoned by the page. */
export type AnswerOutcome = { kind: 'ended'; message: ChatMessage } | { kind: 'rejected'; code: FailureCode } | { kind: 'left' }

export interface AnswerReader {
  onMessage(message: ChatMessage): void
  onConnection(connection: 'live' | 'reconnecting'): void
}

/**
 * Follows an answer to its end. `first` is the response to the prompt, if there is one. After a broken connection it continues from the
 * last event, with pauses of 0.5 s to 15 s, without a limit. Polls for events where streams are blocked. Holds no connection while the
 * page is hidden. Ends as `left` when `signal` aborts.
 */
export async function followAnswer(
  start: { first?: Response; turn?: string },
  reader: AnswerReader,
  signal: AbortSignal,
): Promise<AnswerOutcome> {
  const progress = new Progress(reader, start.turn)
  let heard = start.first ? await progress.hearFirst(start.first, signal) : undefined
  for (let failures = 0; ; failures++) {
    if (heard?.kind === 'ended') return { kind: 'ended', message: progress.message }
    if (signal.aborted) return { kind: 'left' }
    if (heard?.kind === 'rejected' && isFinal(heard.code)) return { kind: 'rejected', code: heard.code }
    if (!progress.turn) return { kind: 'rejected', code: navigator.onLine ? 'network' : 'offline' }
    if (progress.takeMoved()) failures = 0
    if (heard?.kind === 'broken' || heard?.kind === 'rejected') {
      reader.onConnection('reconnecting')
      await pauseAfter(failures, signal)
    }
    await whenShown(signal)
    heard = await (streams.isBlocked ? progress.ask(progress.turn, signal) : progress.hear(progress.turn, signal))
  }
}

class Progress {
  #lastEventId = ''
  #moved = false
  #builder = new MessageBuilder()
  #reader: AnswerReader
  #turn: string | undefined

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

  /** Whether events arrived since the last call. */
  takeMoved(): boolean {
    const moved = this.#moved
    this.#moved = false
    return moved
  }

  /** Reads the reply to the prompt. The connection stays open until the turn is known. */
  hearFirst(response: Response, signal: AbortSignal): Promise<StreamEnd> {
    const connect = () => Promise.resolve({ ok: true as const, value: response })
    return readStream({ connect, onEvent: (event) => this.#hear(event), canLeave: () => this.turn !== undefined }, signal)
  }

  hear(turn: string, signal: AbortSignal): Promise<StreamEnd> {
    return readStream({ connect: (until) => followTurn(turn, this.#lastEventId, until), onEvent: (event) => this.#hear(event) }, signal)
  }

  async ask(turn: string, signal: AbortSignal): Promise<StreamEnd> {
    const outcome = await fetchTurnEvents(turn, this.#lastEventId || '0', signal).catch(() => null)
    if (!outcome) return { kind: 'left' }
    // Without polling, only the stream is left.
    if (!outcome.ok && isFinal(outcome.code)) streams.reportComplete()
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
      // Skips a chunk of an unknown form; the rest is still readable.
      console.error(error)
    }
    return false
  }

  #take(id: string | undefined, chunk: ChatChunk): void {
    if (!this.#moved) this.#reader.onConnection('live')
    this.#moved = true
    if (id) this.#lastEventId = id
    this.#builder.apply(chunk)
    this.#reader.onMessage(this.#builder.message)
  }
}
