import { Semaphore } from '../../async/semaphore.ts'

/**
 * Caps concurrent starts below the pool size of the database, first come, first served. When a start fails, those that have waited
 * since before the last success go on; the others fail with it, since the database is unavailable.
 */
export class StartQueue {
  readonly #slots: Semaphore
  #sinceLastSuccess = new AbortController()

  constructor(maxConcurrent: number) {
    this.#slots = new Semaphore(maxConcurrent)
  }

  async run<T>(start: () => Promise<T>): Promise<T> {
    const release = await this.#slots.acquire(this.#sinceLastSuccess.signal)
    try {
      const started = await start()
      this.#sinceLastSuccess = new AbortController()
      return started
    } catch (fault) {
      const hopeless = this.#sinceLastSuccess
      this.#sinceLastSuccess = new AbortController()
      hopeless.abort(fault)
      throw fault
    } finally {
      release()
    }
  }
}
