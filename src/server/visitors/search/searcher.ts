import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import type { DatabaseSettings } from '../../store/database.ts'
import type { ChatSearch, SearchPage } from './search-chats.ts'
import type { SearchOutcome } from './search-worker.ts'

/** Searches that wait for the one before them; one more is refused. */
const MAX_WAITING = 50
/** A search that takes longer is given up, and the thread with it. */
const SEARCH_LIMIT_MS = 10_000
/** The thread ends when nobody has searched for so long. */
const IDLE_MS = 60_000
const THREAD_LIMITS = { maxOldGenerationSizeMb: 256 }

/**
 * Searches in a thread with a connection of its own, started with the first search: to read all that a visitor has written may take
 * longer than the server's own loop may stand still.
 */
export class Searcher {
  readonly #settings: DatabaseSettings
  #worker: Worker | null = null
  #waiting = 0
  #last: Promise<unknown> = Promise.resolve()
  #idle: NodeJS.Timeout | undefined

  constructor(settings: DatabaseSettings) {
    this.#settings = settings
  }

  /** One after another; undefined when too many are waiting already. */
  async search(search: ChatSearch): Promise<SearchPage | undefined> {
    if (this.#waiting >= MAX_WAITING) return undefined
    this.#waiting += 1
    const mine = this.#last.then(() => this.#run(search))
    this.#last = mine.catch(() => undefined)
    try {
      return await mine
    } finally {
      this.#waiting -= 1
    }
  }

  async close(): Promise<void> {
    clearTimeout(this.#idle)
    await this.#worker?.terminate()
    this.#worker = null
  }

  async #run(search: ChatSearch): Promise<SearchPage> {
    clearTimeout(this.#idle)
    const worker = (this.#worker ??= this.#start())
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
    worker.postMessage(search)
    try {
      const [outcome] = (await once(worker, 'message', { signal: AbortSignal.timeout(SEARCH_LIMIT_MS) })) as [SearchOutcome]
      if ('error' in outcome) throw outcome.error
      return outcome.found
    } catch (error) {
      // It may still be reading, and would answer the next search with this one's.
      await this.close()
      throw error
    } finally {
      this.#idle = setTimeout(() => {
        // What fails to end is let go: nothing waits for it.
        this.close().catch(() => undefined)
      }, IDLE_MS)
      this.#idle.unref()
    }
  }

  #start(): Worker {
    const worker = new Worker(new URL('./search-worker.ts', import.meta.url), { workerData: this.#settings, resourceLimits: THREAD_LIMITS })
    worker.unref()
    // Whoever waits hears of it; without a listener it would end the process.
    worker.on('error', () => {
      if (this.#worker === worker) this.#worker = null
    })
    return worker
  }
}
