export interface VersionFollowerOptions {
  /** The version of what `refresh` reads. */
  version: () => Promise<string>
  /** Reads what has changed, and puts it into force. */
  refresh: () => Promise<void>
  intervalMs: number
  /** Called with the first of consecutive failures. */
  onFault: (cause: unknown) => void
}

/** Puts into force what the database has, now and after each change by any process. After a failure, it tries again at the next poll. */
export class VersionFollower {
  readonly #options: VersionFollowerOptions
  #version: string | null = null
  #timer: NodeJS.Timeout | undefined
  #polling: Promise<void> = Promise.resolve()
  #isFaulty = false
  #isClosed = false

  constructor(options: VersionFollowerOptions) {
    this.#options = options
  }

  /** Polls at once, and periodically from then on. Never rejects. */
  async start(): Promise<void> {
    await this.poll()
    if (this.#isClosed) return
    this.#timer = setTimeout(() => {
      this.#polling = this.start()
    }, this.#options.intervalMs).unref()
  }

  /** Polls now. Polls never overlap. Never rejects. */
  poll(): Promise<void> {
    this.#polling = this.#polling.then(() => this.#poll())
    return this.#polling
  }

  async close(): Promise<void> {
    this.#isClosed = true
    clearTimeout(this.#timer)
    await this.#polling
  }

  async #poll(): Promise<void> {
    try {
      // The version first: a change in between makes it too old, and it is read again.
      const version = await this.#options.version()
      if (version !== this.#version) await this.#options.refresh()
      this.#version = version
      this.#isFaulty = false
    } catch (cause) {
      if (!this.#isFaulty) this.#options.onFault(cause)
      this.#isFaulty = true
    }
  }
}
