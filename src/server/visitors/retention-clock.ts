import type { Database } from '../store/engine/database.ts'
import { newestTime, recordTime } from '../store/engine/installation-facts.ts'

/** A clock further ahead of the newest stored time than this is doubted. */
const MAX_AHEAD_MS = 24 * 60 * 60 * 1000

export interface RetentionClockOptions {
  database: Database
  /** This machine's clock, in milliseconds since the epoch; may jump. */
  wall: () => number
  /** The clock that counts when the wall clock is not doubted. */
  steady: () => number
  /** Monotonic milliseconds. */
  monotonic: () => number
  /** The time of another machine; `undefined` if none can be asked. */
  outside: () => Promise<number | undefined>
  onWarning: (message: string) => void
}

/**
 * The clock by which chats expire. If this machine's clock is more than a day ahead of the newest stored time at the start, it may be wrong,
 * and would delete everything at once. Then time goes on from the newest stored one, until another machine or the operator confirms it.
 * If it is a day behind, chats get times after the newest stored one, so that they haven't expired once the clock is right again.
 */
export class RetentionClock {
  readonly #options: RetentionClockOptions
  /** The newest stored time and when it was read; `null` while the wall clock is trusted. */
  #doubt: { storedAt: number; readAt: number } | null = null
  /** The same while the wall clock is behind. */
  #behind: { storedAt: number; readAt: number } | null = null

  private constructor(options: RetentionClockOptions) {
    this.#options = options
  }

  static async open(options: RetentionClockOptions): Promise<RetentionClock> {
    const clock = new RetentionClock(options)
    const stored = await newestTime(options.database)
    if (stored !== null && (await clock.#isDoubtful(stored))) {
      clock.#doubt = { storedAt: stored, readAt: options.monotonic() }
      const days = Math.floor((options.wall() - stored) / MAX_AHEAD_MS)
      options.onWarning(
        `The clock is ${days} days ahead of the last run. Nothing is deleted for its age until the time is confirmed. If the clock is right, run parley confirm-clock; otherwise set it and restart`,
      )
    }
    if (stored !== null && stored - options.wall() > MAX_AHEAD_MS) {
      clock.#behind = { storedAt: stored, readAt: options.monotonic() }
      const days = Math.floor((stored - options.wall()) / MAX_AHEAD_MS)
      options.onWarning(`The clock is ${days} days behind the last run. Set it and restart`)
    }
    return clock
  }

  get isDoubted(): boolean {
    return this.#doubt !== null
  }

  now(): number {
    return this.#doubt ? this.#since(this.#doubt) : this.#options.steady()
  }

  /** The time of what is read and written: the wall clock's unless it is doubted or behind. */
  accessTime(): number {
    if (this.#doubt) return this.now()
    return this.#behind ? Math.max(this.#since(this.#behind), this.#options.wall()) : this.#options.wall()
  }

  #since({ storedAt, readAt }: { storedAt: number; readAt: number }): number {
    return Math.floor(storedAt + this.#options.monotonic() - readAt)
  }

  /** Stores the time, and ends the doubt if the operator has confirmed it. Rejects if the database can't be written. */
  async record(): Promise<void> {
    const { database, wall, onWarning } = this.#options
    if (this.#doubt) {
      const stored = await newestTime(database)
      if (stored !== null && wall() - stored < MAX_AHEAD_MS) {
        this.#doubt = null
        onWarning('The clock is confirmed. Chats expire by it again')
      }
    }
    await recordTime(database, this.now())
  }

  async #isDoubtful(stored: number): Promise<boolean> {
    const { wall, outside } = this.#options
    if (wall() - stored < MAX_AHEAD_MS) return false
    const elsewhere = await outside()
    return elsewhere === undefined || wall() - elsewhere > MAX_AHEAD_MS
  }
}
