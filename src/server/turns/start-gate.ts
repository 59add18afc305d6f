interface Waiting {
  /** How many starts had succeeded when it came. */
  since: number
  begin: () => void
  refuse: (fault: unknown) => void
}

/**
 * Lets so many starts into the database at a time, the others in the order in which they came. Fewer than it has connections, so that
 * none waits for one longer than it may (`store/postgres.ts`), and that others find one. When one fails, those who have seen none
 * succeed since they came are told the same: the database is away. Who waits is bounded by the turns that may run.
 */
export class StartGate {
  readonly #max: number
  #waiting: Waiting[] = []
  #open = 0
  #succeeded = 0

  constructor(max: number) {
    this.#max = max
  }

  /** Rejects as `start` does, or as one before it that has failed. */
  async through<T>(start: () => Promise<T>): Promise<T> {
    if (this.#open < this.#max) this.#open += 1
    else await new Promise<void>((begin, refuse) => this.#waiting.push({ since: this.#succeeded, begin, refuse }))
    try {
      const started = await start()
      this.#succeeded += 1
      return started
    } catch (fault) {
      this.#refuseHopeless(fault)
      throw fault
    } finally {
      const next = this.#waiting.shift()
      if (next) next.begin()
      else this.#open -= 1
    }
  }

  #refuseHopeless(fault: unknown): void {
    const hopeless = this.#waiting.filter(({ since }) => since === this.#succeeded)
    this.#waiting = this.#waiting.filter(({ since }) => since < this.#succeeded)
    for (const { refuse } of hopeless) refuse(fault)
  }
}
