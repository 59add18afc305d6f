import type { UnstoredTurns, TurnEventRow } from '../../store/turns/turn-events.ts'
import { TurnLog, type Urgency } from './turn-log.ts'
import { settledOrAborted } from '../../../async/abort.ts'

const FLUSH_INTERVAL_MS = 100
/** Limits of one statement; the rest goes into the next one at once. */
const MAX_ROWS_A_STATEMENT = 500
const MAX_CHARACTERS_A_STATEMENT = 512 * 1024
/** Limit of one row, so that a follower reads back little more than it can send. */
const MAX_CHARACTERS_A_ROW = 16 * 1024
/** Limits of unwritten characters per turn and in total. Beyond them, turns stop reading their model. */
const MAX_PENDING_CHARACTERS_A_TURN = 64 * 1024
const MAX_PENDING_CHARACTERS = 1024 * 1024
/** Outage after which turns are interrupted. */
export const MAX_BUFFERED_MS = 60_000
const FIRST_RETRY_MS = 100
const LONGEST_RETRY_MS = 2_000

export interface LogWriterOptions {
  /** Stores at most one row per turn. Returns the turns without stored rows. */
  write: (rows: TurnEventRow[]) => Promise<UnstoredTurns>
  /** Called with the first of consecutive failures. */
  onFault: (message: string, cause: unknown) => void
}

/** Why a turn was given up: another process owns or ended it, or its events couldn't be stored for too long. */
export type LossReason = 'taken-away' | 'not-stored'

interface OpenLog {
  log: TurnLog
  onLost: (why: LossReason) => void
}

/**
 * Persists the events of all running turns in one statement about every 100 ms, and at once for a turn's first words.
 * Followers see an event once it is persisted. Events that the database rejects are buffered and retried.
 */
export class LogWriter {
  readonly #options: LogWriterOptions
  readonly #open = new Map<string, OpenLog>()
  /** Turns with unwritten events, oldest first. */
  readonly #waiting = new Set<string>()
  #pendingCharacters = 0
  readonly #awaitingRoom = new Set<() => void>()
  #isWriting = false
  #isUrgent = false
  #lastFlushAt = Number.NEGATIVE_INFINITY
  #failures = 0
  #failingSince: number | null = null
  #dueAt = Number.POSITIVE_INFINITY
  #cancel = () => {}

  constructor(options: LogWriterOptions) {
    this.#options = options
  }

  /** Start of the current outage, by `performance.now()`; null if none. */
  get failingSince(): number | null {
    return this.#failingSince
  }

  /** Opens a log, whose events are written until `close`. */
  open(turnId: string, onLost: (why: LossReason) => void): TurnLog {
    const log = new TurnLog(turnId, (characters, urgency) => this.#appended(log, characters, urgency))
    this.#open.set(turnId, { log, onLost })
    return log
  }

  /** Stops writing a turn. Call it before ending its log. */
  close(log: TurnLog): void {
    if (!this.#open.delete(log.turnId)) return
    this.#waiting.delete(log.turnId)
    this.#pendingCharacters -= log.pendingCharacters
    this.#makeRoom()
  }

  /** Resolves when the turn may append, usually at once, or when `signal` aborts. */
  async room(log: TurnLog, signal: AbortSignal): Promise<void> {
    while (!this.#hasRoom(log) && !signal.aborted) {
      this.#schedule('now')
      const { promise: woken, resolve: wake } = Promise.withResolvers<void>()
      this.#awaitingRoom.add(wake)
      await settledOrAborted(woken, signal)
      this.#awaitingRoom.delete(wake)
    }
  }

  #hasRoom(log: TurnLog): boolean {
    return log.pendingCharacters < MAX_PENDING_CHARACTERS_A_TURN && this.#pendingCharacters < MAX_PENDING_CHARACTERS
  }

  #makeRoom(): void {
    for (const wake of this.#awaitingRoom) wake()
  }

  #appended(log: TurnLog, characters: number, urgency: Urgency): void {
    // A closed log only receives its end.
    if (!this.#open.has(log.turnId)) return
    this.#pendingCharacters += characters
    this.#waiting.add(log.turnId)
    this.#schedule(urgency)
  }

  #schedule(urgency: Urgency): void {
    this.#isUrgent ||= urgency === 'now'
    // During an outage, the retry pause applies; during a write, the next flush is decided afterwards.
    if (this.#isWriting || this.#failures > 0) return
    const now = performance.now()
    if (urgency === 'now') this.#arm(now)
    else this.#arm(urgency === 'soon' ? this.#lastFlushAt + FLUSH_INTERVAL_MS : now + FLUSH_INTERVAL_MS)
  }

  #arm(at: number): void {
    if (at >= this.#dueAt) return
    this.#cancel()
    this.#dueAt = at
    const inMs = at - performance.now()
    const flush = () => this.#flush()
    if (inMs <= 0 && this.#open.size === 1) {
      flush()
    } else if (inMs <= 0) {
      // Batches events of the same pass of the event loop.
      const immediate = setImmediate(flush)
      this.#cancel = () => clearImmediate(immediate)
    } else {
      const timer = setTimeout(flush, inMs)
      this.#cancel = () => clearTimeout(timer)
    }
  }

  #flush(): void {
    this.#dueAt = Number.POSITIVE_INFINITY
    this.#cancel = () => {}
    const rows = this.#takeRows()
    if (rows.length === 0) return this.#recovered()
    this.#isWriting = true
    this.#isUrgent = false
    this.#lastFlushAt = performance.now()
    this.#options.write(rows).then(
      (notStored) => this.#wrote(rows, notStored),
      (error: unknown) => this.#failed(error),
    )
  }

  #takeRows(): TurnEventRow[] {
    const rows: TurnEventRow[] = []
    let characters = 0
    for (const turnId of this.#waiting) {
      const row = this.#open.get(turnId)?.log.nextRow(MAX_CHARACTERS_A_ROW)
      if (row) rows.push(row)
      characters += row?.chunks.length ?? 0
      if (rows.length >= MAX_ROWS_A_STATEMENT || characters >= MAX_CHARACTERS_A_STATEMENT) break
    }
    return rows
  }

  #wrote(rows: TurnEventRow[], { gone, locked }: UnstoredTurns): void {
    this.#isWriting = false
    this.#recovered()
    for (const { turnId, lastSeq } of rows) {
      const open = this.#open.get(turnId)
      if (!open) continue
      if (gone.has(turnId)) this.#lose(open, 'taken-away')
      else if (!locked.has(turnId)) this.#publish(open.log, lastSeq)
    }
    this.#makeRoom()
    if (this.#waiting.size === 0) return
    // Rows that didn't fit, and urgent ones, are written at once.
    const isBehind =
      this.#isUrgent || rows.length >= MAX_ROWS_A_STATEMENT || rows.some((row) => row.chunks.length >= MAX_CHARACTERS_A_ROW / 2)
    this.#arm(isBehind ? performance.now() : this.#lastFlushAt + FLUSH_INTERVAL_MS)
  }

  #publish(log: TurnLog, seq: number): void {
    this.#pendingCharacters -= log.publish(seq)
    if (log.pendingCharacters === 0) this.#waiting.delete(log.turnId)
  }

  #failed(error: unknown): void {
    const now = performance.now()
    this.#isWriting = false
    this.#failingSince ??= now
    if (this.#failures === 0) this.#options.onFault('Persisting turn events failed; buffering and retrying', error)
    this.#failures += 1
    if (now - this.#failingSince >= MAX_BUFFERED_MS) {
      for (const turnId of this.#waiting) this.#lose(this.#open.get(turnId), 'not-stored')
    }
    if (this.#waiting.size > 0) this.#arm(now + Math.min(LONGEST_RETRY_MS, FIRST_RETRY_MS * 2 ** (this.#failures - 1)))
    else this.#recovered()
  }

  #recovered(): void {
    this.#failures = 0
    this.#failingSince = null
  }

  #lose(open: OpenLog | undefined, why: LossReason): void {
    if (!open) return
    this.close(open.log)
    open.onLost(why)
  }
}
