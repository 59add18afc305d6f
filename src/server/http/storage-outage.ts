import type { FastifyBaseLogger } from 'fastify'

export interface StorageOutageOptions {
  /** Resolves if the database can be used. */
  ping: () => Promise<unknown>
  log: Pick<FastifyBaseLogger, 'error' | 'info'>
  checkIntervalMs?: number
  reportIntervalMs?: number
}

/** Logs an outage of the database when it begins, once a minute while it lasts, and when it ends, however many requests fail. */
export class StorageOutage {
  readonly #options: Required<StorageOutageOptions>
  #timer: NodeJS.Timeout | undefined
  #failed = 0
  #isOver = true

  constructor(options: StorageOutageOptions) {
    this.#options = { checkIntervalMs: 2_000, reportIntervalMs: 60_000, ...options }
  }

  /** Call for each request that failed because of the database. `context` identifies the first one in the log. */
  failed(error: unknown, context: object): void {
    this.#failed += 1
    if (!this.#isOver) return
    this.#isOver = false
    this.#options.log.error({ err: error, ...context }, 'Database unavailable; requests get 503 until it recovers')
    this.#watch(performance.now(), performance.now())
  }

  close(): void {
    clearTimeout(this.#timer)
  }

  #watch(begunAt: number, reportedAt: number): void {
    const { ping, log, checkIntervalMs, reportIntervalMs } = this.#options
    this.#timer = setTimeout(() => {
      const facts = () => ({ failedRequests: this.#failed, lastedS: Math.round((performance.now() - begunAt) / 1000) })
      const end = () => {
        log.info(facts(), 'Database available again')
        this.#failed = 0
        this.#isOver = true
      }
      const watchOn = () => {
        const isDue = performance.now() - reportedAt >= reportIntervalMs
        if (isDue) log.error(facts(), 'Database still unavailable')
        this.#watch(begunAt, isDue ? performance.now() : reportedAt)
      }
      ping().then(end, watchOn)
    }, checkIntervalMs)
    this.#timer.unref()
  }
}
