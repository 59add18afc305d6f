interface Waiting {
  begin: () => void
  refuse: (fault: unknown) => void
}

/**
 * Lets so many starts into the database at a time, the others in the order in which they came. Fewer than it has connections, so that
 * none waits for one longer than it may (`store/postgres.ts`), and that others find one. When as many in a row have failed, the
 * database is away, and all who wait are told so. Who waits is bounded by the turns that may run.
 */
export class StartGate {
  readonly #max: number
  readonly #waiting: Waiting[] = []
  #open = 0
  #failedInRow = 0

  constructor(max: number) {
    this.#max = max
  }

  /** Rejects as `start` does, or as the last of those that have failed. */
  async through<T>(start: () => Promise<T>): Promise<T> {
    if (this.#open < this.#max) this.#open += 1
    else await new Promise<void>((begin, refuse) => this.#waiting.push({ begin, refuse }))
    try {
      const started = await start()
      this.#failedInRow = 0
      return started
    } catch (fault) {
      this.#failedInRow += 1
      if (this.#failedInRow >= this.#max) for (const { refuse } of this.#waiting.splice(0)) refuse(fault)
      throw fault
    } finally {
      const next = this.#waiting.shift()
      if (next) next.begin()
      else this.#open -= 1
    }
  }
}
