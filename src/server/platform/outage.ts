import type { FastifyBaseLogger } from 'fastify'

export interface OutageOptions {
  messages: { begin: string; during: string; end: string }
  check: () => Promise<unknown>
  log: Pick<FastifyBaseLogger, 'error' | 'warn'>
  checkIntervalMs?: number
  reportIntervalMs?: number
}

export const DATABASE_OUTAGE = {
  begin: 'Database unavailable; requests get 503 until it recovers',
  during: 'Database still unavailable; requests get 503 until it recovers',
  end: 'Database available again',
}

/** Logs an outage of a service when it begins, once a minute while it lasts, and when it ends, however much fails meanwhile. */
export class Outage {
  readonly #options: Required<OutageOptions>
  #timer: NodeJS.Timeout | undefined
  #failures = 0
  isOver = true
  #isClosed = false

  constructor(options: OutageOptions) {
    this.#options = { checkIntervalMs: 2_000, reportIntervalMs: 60_000, ...options }
  }

  /** Call for everything that failed because of the outage. `context` identifies the first failure in the log. */
  failed(error: unknown, context: object): void {
    this.#failures += 1
    if (!this.isOver) return
    this.isOver = false
    const { log, messages } = this.#options
    log.error({ err: error, ...context }, messages.begin)
    this.#watch(performance.now(), performance.now())
  }

  close(): void {
    this.#isClosed = true
    clearTimeout(this.#timer)
  }

  #watch(begunAt: number, reportedAt: number): void {
    if (this.#isClosed) return
    const { check, log, messages, checkIntervalMs, reportIntervalMs } = this.#options
    this.#timer = setTimeout(() => {
      const facts = () => ({ failures: this.#failures, lastedS: Math.round((performance.now() - begunAt) / 1000) })
      const end = () => {
        log.warn(facts(), messages.end)
        this.#failures = 0
        this.isOver = true
      }
      const watchOn = () => {
        const isDue = performance.now() - reportedAt >= reportIntervalMs
        if (isDue) log.error(facts(), messages.during)
        this.#watch(begunAt, isDue ? performance.now() : reportedAt)
      }
      check().then(end, watchOn)
    }, checkIntervalMs)
    this.#timer.unref()
  }
}
