import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import type { DatabaseSettings } from '../../store/engine/open-database.ts'
import type { ChatSearch, SearchPage } from './search-chats.ts'
import type { SearchOutcome } from './search-worker.ts'

const MAX_WAITING = 50
/** A search that takes longer fails, and its thread is terminated. */
const SEARCH_LIMIT_MS = 10_000
const IDLE_MS = 60_000
const THREAD_LIMITS = { maxOldGenerationSizeMb: 256 }

/** Searches in a thread of its own, started on the first search: reading all chats would block the event loop. */
export class Searcher {
  readonly #settings: DatabaseSettings
  #worker: Worker | null = null
  #waiting = 0
  #last: Promise<unknown> = Promise.resolve()
  #idle: NodeJS.Timeout | undefined

  constructor(settings: DatabaseSettings) {
    this.#settings = settings
  }

  /** Runs searches one at a time; undefined if the queue is full. */
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
    const worker = this.#worker
    // Before the thread has ended: it would not answer a search that arrives meanwhile.
    this.#worker = null
    await worker?.terminate()
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
      // A thread that is still reading would answer the next search with this result.
      await this.close()
      throw error
    } finally {
      this.#idle = setTimeout(() => {
        // Nothing depends on the thread's end.
        this.close().catch(() => undefined)
      }, IDLE_MS)
      this.#idle.unref()
    }
  }

  #start(): Worker {
    const worker = new Worker(new URL('./search-worker.ts', import.meta.url), { workerData: this.#settings, resourceLimits: THREAD_LIMITS })
    worker.unref()
    // The pending search rejects on its own; without a listener the error would end the process.
    worker.on('error', () => {
      if (this.#worker === worker) this.#worker = null
    })
    return worker
  }
}
