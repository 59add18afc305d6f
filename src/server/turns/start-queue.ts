import { Semaphore } from '../../async/semaphore.ts'

/** Caps concurrent starts below the pool size. FIFO. When one fails, those who came since the last success fail with it. */
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
