/** Trial answers being written in this process. */
const MAX_RUNNING = 4
/** Trial answers of one person in an hour. */
const MAX_PER_HOUR = 200
const HOUR_MS = 60 * 60 * 1000

export class TrialLimits {
  readonly #now: () => number
  readonly #counts = new Map<string, number>()
  #hour = 0
  #running = 0

  constructor(now: () => number) {
    this.#now = now
  }

  /** Counts an answer. Returns a function to call when it has ended; `null` if there are too many. */
  admit(person: string): (() => void) | null {
    const hour = Math.floor(this.#now() / HOUR_MS)
    if (hour !== this.#hour) this.#counts.clear()
    this.#hour = hour
    const count = this.#counts.get(person) ?? 0
    if (this.#running >= MAX_RUNNING || count >= MAX_PER_HOUR) return null
    this.#counts.set(person, count + 1)
    this.#running += 1
    return () => {
      this.#running -= 1
    }
  }
}
