/** How long a result counts, so that frequent checks don't write as often. */
const VALID_MS = 1_000

/** Checks whether the database takes writes. Concurrent and frequent checks share one write. */
export class WriteProbe {
  readonly #write: () => Promise<void>
  #last: { result: Promise<void>; at: number } | null = null

  constructor(write: () => Promise<void>) {
    this.#write = write
  }

  /** Resolves if a write of the last second succeeded; rejects with its fault. */
  check(): Promise<void> {
    const now = performance.now()
    if (this.#last && now - this.#last.at < VALID_MS) return this.#last.result
    this.#last = { result: this.#write(), at: now }
    return this.#last.result
  }
}
