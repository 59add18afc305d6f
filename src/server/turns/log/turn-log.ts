import type { ChatChunk } from '../../../contract/chat/message.ts'
import type { TurnEvent, TurnEventRow } from '../../store/turns/turn-events.ts'
import { onAbort } from '../../../async/abort.ts'

/** Limit of one read in UTF-16 code units (up to three times that in bytes), unless a single event is longer. */
export const MAX_BATCH_CHARACTERS = 16 * 1024
/** Events kept in memory after they were written, for followers that keep up. */
const MAX_CACHED_CHARACTERS = 64 * 1024
/** Longer deltas are split into several events. */
const MAX_DELTA_CHARACTERS = 8 * 1024

/** Invisible events, which wait for a visible one, so a quick answer takes one write instead of five. */
const QUIET_CHUNKS: readonly ChatChunk['type'][] = ['start', 'start-step', 'text-start', 'text-end', 'reasoning-start', 'finish-step']

/** How soon to write appended events. A turn's first text is written at once. */
export type Urgency = 'now' | 'soon' | 'later'

/** Result of a read: events, nothing yet, the end, events in the database only, or a stored answer to replay. */
export type Reading =
  | { kind: 'events'; events: TurnEvent[] }
  | { kind: 'nothing-yet' }
  | { kind: 'ended' }
  | { kind: 'stored-events' }
  | { kind: 'stored-answer' }

/** Events of a running turn, readable once written; the newest are cached. Followers read by position and have no queues. */
export class TurnLog {
  readonly turnId: string
  readonly #onAppend: (characters: number, urgency: Urgency) => void
  #pending: TurnEvent[] = []
  #pendingCharacters = 0
  #written: TurnEvent[] = []
  #writtenCharacters = 0
  #lastSeq = 0
  #lastWrittenSeq = 0
  #hasText = false
  #state: 'running' | 'ended' | 'superseded' = 'running'
  readonly #waiting = new Set<() => void>()

  constructor(turnId: string, onAppend: (characters: number, urgency: Urgency) => void) {
    this.turnId = turnId
    this.#onAppend = onAppend
  }

  get pendingCharacters(): number {
    return this.#pendingCharacters
  }

  append(chunk: ChatChunk): void {
    if (this.#state !== 'running') throw new Error('A turn that has ended takes no more events')
    const urgency = this.#urgencyOf(chunk)
    const before = this.#pendingCharacters
    for (const piece of piecesOf(chunk)) this.#push(piece)
    this.#onAppend(this.#pendingCharacters - before, urgency)
  }

  nextRow(maxCharacters: number): TurnEventRow | undefined {
    const events = firstOf(this.#pending, 0, maxCharacters)
    const [first, last] = [events[0], events.at(-1)]
    if (!first || !last) return undefined
    return { turnId: this.turnId, firstSeq: first.seq, lastSeq: last.seq, chunks: `[${events.map((event) => event.json).join(',')}]` }
  }

  /** Makes the events up to `seq` readable, which are persisted now. Returns their number of characters. */
  publish(seq: number): number {
    const count = this.#pending.findIndex((event) => event.seq > seq)
    const events = this.#pending.splice(0, count < 0 ? this.#pending.length : count)
    const characters = charactersOf(events)
    this.#pendingCharacters -= characters
    this.#cache(events, characters)
    this.#evictOldest()
    this.#wake()
    return characters
  }

  /** Ends the log with its final chunks and everything in the stored answer. */
  end(chunks: ChatChunk[]): void {
    this.#finish(this.#pending, chunks)
  }

  /** Ends the log without storage. Unwritten events are never shown. */
  endUnstored(chunks: ChatChunk[]): void {
    this.#lastSeq = this.#lastWrittenSeq
    this.#finish([], chunks)
  }

  /** The turn was ended elsewhere, so the stored answer applies. */
  supersede(): void {
    this.#state = 'superseded'
    this.#pending = []
    this.#pendingCharacters = 0
    this.#wake()
  }

  read(after: number): Reading {
    if (this.#state === 'superseded') return { kind: 'stored-answer' }
    if (after >= this.#lastWrittenSeq) return { kind: this.#state === 'ended' ? 'ended' : 'nothing-yet' }
    const index = after + 1 - (this.#written[0]?.seq ?? Number.POSITIVE_INFINITY)
    if (index < 0) return { kind: this.#state === 'ended' ? 'stored-answer' : 'stored-events' }
    return { kind: 'events', events: firstOf(this.#written, index, MAX_BATCH_CHARACTERS) }
  }

  /** Resolves when there may be new events, or when `signal` aborts. */
  async changed(signal: AbortSignal): Promise<void> {
    const { promise: woken, resolve: wake } = Promise.withResolvers<void>()
    const removeListener = onAbort(signal, () => wake())
    this.#waiting.add(wake)
    await woken
    removeListener()
    this.#waiting.delete(wake)
  }

  #urgencyOf(chunk: ChatChunk): Urgency {
    if (QUIET_CHUNKS.includes(chunk.type)) return 'later'
    if (chunk.type !== 'text-delta' || this.#hasText) return 'soon'
    this.#hasText = true
    return 'now'
  }

  #push(chunk: ChatChunk): void {
    const json = JSON.stringify(chunk)
    this.#lastSeq += 1
    this.#pending.push({ seq: this.#lastSeq, json })
    this.#pendingCharacters += json.length
  }

  #finish(last: TurnEvent[], chunks: ChatChunk[]): void {
    this.#pending = last
    for (const chunk of chunks) this.#push(chunk)
    this.#state = 'ended'
    this.#cache(this.#pending, charactersOf(this.#pending))
    this.#pending = []
    this.#pendingCharacters = 0
    this.#wake()
  }

  #cache(events: TurnEvent[], characters: number): void {
    this.#written.push(...events)
    this.#writtenCharacters += characters
    this.#lastWrittenSeq = events.at(-1)?.seq ?? this.#lastWrittenSeq
  }

  #evictOldest(): void {
    let count = 0
    while (this.#writtenCharacters > MAX_CACHED_CHARACTERS && count < this.#written.length - 1) {
      this.#writtenCharacters -= (this.#written[count] as TurnEvent).json.length
      count += 1
    }
    if (count > 0) this.#written.splice(0, count)
  }

  #wake(): void {
    for (const wake of this.#waiting) wake()
  }
}

function charactersOf(events: TurnEvent[]): number {
  return events.reduce((sum, event) => sum + event.json.length, 0)
}

/** Events from `index`, up to `maxCharacters`, at least one if any. */
export function firstOf(events: TurnEvent[], index: number, maxCharacters: number): TurnEvent[] {
  let end = index
  let characters = 0
  for (; end < events.length; end += 1) {
    characters += (events[end] as TurnEvent).json.length
    if (characters > maxCharacters && end > index) break
  }
  return events.slice(index, end)
}

/** Splits long deltas, never within a surrogate pair. Other chunks stay whole. */
export function piecesOf(chunk: ChatChunk): ChatChunk[] {
  if ((chunk.type !== 'text-delta' && chunk.type !== 'reasoning-delta') || chunk.delta.length <= MAX_DELTA_CHARACTERS) return [chunk]
  const pieces: ChatChunk[] = []
  for (let start = 0; start < chunk.delta.length; ) {
    const isPair = /[\uD800-\uDBFF]/.test(chunk.delta[start + MAX_DELTA_CHARACTERS - 1] ?? '')
    const end = start + MAX_DELTA_CHARACTERS - (isPair ? 1 : 0)
    pieces.push({ ...chunk, delta: chunk.delta.slice(start, end) })
    start = end
  }
  return pieces
}

/** A server-sent event. JSON has no raw line breaks, so a text can't forge events. */
export function frameOf({ seq, json }: TurnEvent): string {
  return `id: ${seq}\ndata: ${json}\n\n`
}
