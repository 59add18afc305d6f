import { loggedError } from '../../platform/log-serializers.ts'
import type { Database } from '../../store/engine/database.ts'
import { addLoggedProblems, deleteLoggedProblemsBefore, type LoggedProblem } from '../../store/staff/logged-problems.ts'

const WRITE_INTERVAL_MS = 2_000
/** Different problems that wait to be written; further ones are in the log alone. */
const MAX_PENDING = 50
/** Different problems in the database: the newest. */
const MAX_STORED = 200
const DAYS_KEPT = 30
const DAY_MS = 86_400_000
const MAX_CHARACTERS = 300
/** Pino's levels. */
const ERROR = 50

/** Keeps logged warnings and errors for the console, without an error's own message, which can quote what others sent. */
export class ProblemLog {
  #pending = new Map<string, LoggedProblem>()
  #database: Database | null = null
  #timer: NodeJS.Timeout | undefined
  #writing: Promise<void> = Promise.resolve()

  /** Takes what is logged: the level, and the arguments of the logger. */
  readonly add = (level: number, [first, second]: readonly unknown[]): void => {
    const sentence = typeof first === 'string' ? first : second
    if (typeof sentence !== 'string') return
    const message = sentence.slice(0, MAX_CHARACTERS)
    const known = this.#pending.get(message)
    if (!known && this.#pending.size >= MAX_PENDING) return
    const now = Date.now()
    this.#pending.set(message, {
      message,
      detail: detailOf(first),
      level: level >= ERROR ? 'error' : 'warning',
      count: (known?.count ?? 0) + 1,
      firstAt: known?.firstAt ?? now,
      lastAt: now,
    })
  }

  /** Writes from now on, with what was logged before. */
  start(database: Database): void {
    this.#database = database
    this.#timer = setInterval(() => {
      // Not logged: the entry would be written by the next attempt, which fails too. Requests report the outage.
      this.write().catch(() => undefined)
    }, WRITE_INTERVAL_MS).unref()
  }

  /** Writes what was logged. What can't be written is written later. */
  write(): Promise<void> {
    this.#writing = this.#writing.catch(() => undefined).then(() => this.#write())
    return this.#writing
  }

  async close(): Promise<void> {
    clearInterval(this.#timer)
    await this.write().catch(() => undefined)
  }

  async #write(): Promise<void> {
    const database = this.#database
    if (!database || this.#pending.size === 0) return
    const written = this.#pending
    this.#pending = new Map()
    try {
      await addLoggedProblems(database, [...written.values()], MAX_STORED)
    } catch (cause) {
      for (const [message, { count, firstAt, ...problem }] of written) {
        const since = this.#pending.get(message)
        if (since || this.#pending.size < MAX_PENDING)
          this.#pending.set(message, { ...problem, ...since, firstAt, count: count + (since?.count ?? 0) })
      }
      throw cause
    }
    await deleteLoggedProblemsBefore(database, Date.now() - DAYS_KEPT * DAY_MS)
  }
}

function detailOf(logged: unknown): string {
  if (typeof logged !== 'object' || logged === null) return ''
  const cause = 'err' in logged ? logged.err : logged
  if (!(cause instanceof Error)) return ''
  const { type, code } = loggedError(cause)
  return (code ?? type).slice(0, MAX_CHARACTERS)
}
