import { join } from 'node:path'
import { Worker } from 'node:worker_threads'
import { formatOf } from './extract/extract.ts'
import type { KnowledgeIndex } from './knowledge-index.ts'
import type { WorkerReply, WorkerRequest, WorkerSetup } from './knowledge-worker.ts'
import type { Language } from '../../../contract/languages.ts'
import { listFiles } from './list-files.ts'
import { searchKnowledge, type SearchKnowledgeResult } from './search.ts'
import { openShelf } from './shelf.ts'

/** Up to here, knowledge is searched in well under a millisecond, and a thread would take 30 MB more. */
const MAX_BYTES_HERE = 1024 * 1024
const MAX_FILES_HERE = 200
/** Searches that wait for the thread. */
const MAX_WAITING = 1_000
/** Files, one after the other, that may take the thread with them. */
const MAX_RESTARTS = 20

export interface KnowledgeOptions {
  directory: string
  /** Folder in which large indexes are kept; null keeps none. */
  dataDirectory: string | null
  languages?: readonly Language[]
  onWarning: (message: string, cause?: unknown) => void
}

interface Waiting {
  resolve: (result: SearchKnowledgeResult) => void
  reject: (cause: Error) => void
}

/** The operator's knowledge: little of it is searched here, much of it in a thread, so that nobody else waits. */
export class KnowledgeBase {
  readonly #options: KnowledgeOptions
  readonly #problems = new Set<string>()
  #index: KnowledgeIndex | null = null
  #worker: Worker | null = null
  readonly #waiting = new Map<number, Waiting>()
  #searches = 0
  #reading: string | null = null
  readonly #skip = new Set<string>()
  #restarts = 0
  #isClosed = false
  readonly #ready = Promise.withResolvers<void>()

  private constructor(options: KnowledgeOptions) {
    this.#options = options
  }

  /** With little knowledge it is read when this returns; with much it is being read, and searches wait for it. */
  static async open(options: KnowledgeOptions): Promise<KnowledgeBase> {
    const base = new KnowledgeBase(options)
    if (await isLarge(options.directory)) base.#start()
    else base.#index = await openShelf({ ...base.#shelf(), store: null, onProblem: (problem) => base.#say(problem) })
    if (base.#index) base.#ready.resolve()
    return base
  }

  /** What is left out, and why. */
  get problems(): string[] {
    return [...this.#problems]
  }

  get isInThread(): boolean {
    return this.#index === null
  }

  /** Resolves when all files have been read. */
  get ready(): Promise<void> {
    return this.#ready.promise
  }

  /** Searches some folders; `.` is all of them. Rejects when the thread has ended, and when too many searches wait for it. */
  async search(query: string, folders: readonly string[]): Promise<SearchKnowledgeResult> {
    if (this.#index) return searchKnowledge(this.#index, query, folders)
    if (!this.#worker || this.#waiting.size >= MAX_WAITING) throw new Error('The knowledge cannot be searched now.')
    const id = (this.#searches += 1)
    const { promise, resolve, reject } = Promise.withResolvers<SearchKnowledgeResult>()
    this.#waiting.set(id, { resolve, reject })
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
    this.#worker.postMessage({ id, query, folders } satisfies WorkerRequest)
    return promise
  }

  async close(): Promise<void> {
    this.#isClosed = true
    await this.#worker?.terminate()
  }

  #shelf() {
    const { directory, languages = ['english'] } = this.#options
    return { directory, languages }
  }

  #start(): void {
    const { dataDirectory } = this.#options
    const store = dataDirectory === null ? null : join(dataDirectory, 'knowledge', 'index')
    const setup: WorkerSetup = { ...this.#shelf(), store, skip: [...this.#skip] }
    const worker = new Worker(new URL('./knowledge-worker.ts', import.meta.url), { workerData: setup })
    worker.unref()
    worker.on('message', (reply: WorkerReply) => this.#hear(reply))
    worker.on('error', (cause) => this.#options.onWarning('The thread that searches the knowledge failed.', cause))
    worker.on('exit', () => this.#restart())
    this.#worker = worker
  }

  #hear(reply: WorkerReply): void {
    switch (reply.kind) {
      case 'problem':
        return this.#say(reply.problem)
      case 'reading':
        this.#reading = reply.file
        if (reply.file === null) this.#ready.resolve()
        return
      case 'result':
        this.#waiting.get(reply.id)?.resolve(reply.result)
        this.#waiting.delete(reply.id)
        return
      case 'failure':
        this.#waiting.get(reply.id)?.reject(new Error('The knowledge could not be searched.'))
        this.#waiting.delete(reply.id)
    }
  }

  /** A file that took the thread with it is left out the next time. */
  #restart(): void {
    for (const { reject } of this.#waiting.values()) reject(new Error('The knowledge cannot be searched now.'))
    this.#waiting.clear()
    this.#worker = null
    if (this.#isClosed) return
    if (this.#reading !== null) {
      this.#skip.add(this.#reading)
      this.#say(`${this.#reading}: left out of the knowledge. It could not be read to its end.`)
      this.#reading = null
    }
    this.#restarts += 1
    if (this.#restarts <= MAX_RESTARTS) this.#start()
    else this.#say('The knowledge cannot be searched: the thread for it ends again and again.')
  }

  #say(problem: string): void {
    if (!this.#problems.has(problem)) this.#options.onWarning(problem)
    this.#problems.add(problem)
  }
}

async function isLarge(directory: string): Promise<boolean> {
  const files = await listFiles(directory, () => {})
  const bytes = files.reduce((sum, { size }) => sum + size, 0)
  return bytes > MAX_BYTES_HERE || files.length > MAX_FILES_HERE || files.some(({ file }) => formatOf(file)?.isHeavy)
}
