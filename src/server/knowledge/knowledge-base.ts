import { type FSWatcher, watch } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { Worker } from 'node:worker_threads'
import { ATTRIBUTES, OPERATIONS } from '../telemetry/tracing/names.ts'
import { inSpan } from '../telemetry/tracing/spans.ts'
import type { WorkerReply, WorkerResult, WorkerRequest, WorkerSetup } from './knowledge-worker.ts'
import { PendingRequests } from '../../async/pending-requests.ts'
import { isLarge } from './files/is-large.ts'
import { writeLeftOut } from './files/left-out.ts'
import { sourcesDirectoryOf } from './files/list-source-pages.ts'
import type { LocalRuntimePaths } from '../local-runtime/model-supervisor.ts'
import type { EmbeddingSettings } from './embeddings/embed.ts'
import type { EmbeddingProgress } from './embeddings/embedding-index.ts'
import type { LocalEmbedding } from './embeddings/local/local-embedding.ts'
import { type EmbedRequest, EmbedResponder } from './embeddings/requested-embed.ts'
import type { NearWording } from './embeddings/wording-index.ts'
import {
  type NeighbourPassages,
  type NeighboursOptions,
  neighboursOf,
  searchKnowledge,
  type SearchKnowledgeResult,
  type SearchOptions,
} from './retrieval/search.ts'
import { type DocumentFacts, documentsOf, versionOf } from './retrieval/documents.ts'
import { openFolderIndexer, type FolderIndexer, type IndexingProgress } from './index/folder-indexer.ts'

/** Indexing produces much garbage; a small young generation limits the worker's memory. */
const THREAD_LIMITS = { maxYoungGenerationSizeMb: 12 }
const MAX_WAITING = 1_000
/** Debounce: files are written in several steps, and often many at once. */
const SETTLE_MS = 500
const PROGRESS_INTERVAL_MS = 10_000
/** A model that nobody configured embeds at most so many passages: about an hour of processor time. */
const MAX_PASSAGES_BY_DEFAULT = 20_000
/** A prompt waits so long for the wordings near to it. */
const NEAR_WORDINGS_LIMIT_MS = 1_500
/** Consecutive files that may crash the worker. */
const MAX_RESTARTS = 10

type SearchOutcome = 'done' | 'failed'

export interface KnowledgeOptions {
  directory: string
  /** Folder that stores large indexes; null stores none. */
  dataDirectory: string | null
  /** Embedding settings; without them, search uses words only. */
  embedding?: EmbeddingSettings | null | undefined
  /** Where a local embedding model is run; without it there is none. */
  localRuntime?: LocalRuntimePaths | undefined
  usesOcr?: boolean | undefined
  onSearched?: ((outcome: SearchOutcome, durationMs: number) => void) | undefined
  onWarning: (message: string, cause?: unknown) => void
}

/** The operator's knowledge: little of it is searched here, much of it in a thread, so that nobody else waits. */
export class KnowledgeBase {
  readonly #options: KnowledgeOptions
  /** Problems of the last complete read of the folder; those found since are in `#newProblems`. */
  #problems = new Set<string>()
  #newProblems = new Set<string>()
  readonly #lastingProblems = new Set<string>()
  #embeddingProblem: string | null = null
  #indexer: FolderIndexer | null = null
  #wordings: readonly string[] = []
  #worker: Worker | null = null
  #localEmbedding: LocalEmbedding | null = null
  readonly #requests = new PendingRequests<WorkerResult>()
  #reading: string | null = null
  /** How much is indexed while the index is being built; null when all of it is. */
  progress: IndexingProgress | null = null
  /** How much is embedded while vectors are being made; null when none is to come. */
  embeddingProgress: EmbeddingProgress | null = null
  #progressLoggedAt = performance.now()
  #extractionPid: number | null = null
  readonly #skip = new Set<string>()
  #restarts = 0
  #isClosed = false
  /** Called whenever the folder has been read to its end. */
  onRead: () => void = () => {}
  /** Called whenever files may have changed. */
  onRefresh: () => void = () => {}
  #watcher: FSWatcher | undefined
  #settling: NodeJS.Timeout | undefined
  #refreshing: Promise<void> = Promise.resolve()
  readonly #ready = Promise.withResolvers<void>()

  private constructor(options: KnowledgeOptions) {
    this.#options = options
  }

  /** A small folder is indexed when this resolves; a large one is indexed in a thread, and searches answer from what is indexed so far. */
  static async open(options: KnowledgeOptions): Promise<KnowledgeBase> {
    const base = new KnowledgeBase(options)
    base.#localEmbedding = await openLocalEmbedding(options)
    if (options.embedding || (await isLarge(options))) base.#start()
    else base.#indexer = await openFolderIndexer({ ...base.#setup(), store: null, onProblem: (problem) => base.#say(problem) })
    if (base.#indexer) base.#wasRead()
    return base
  }

  /** Sentences that say which content is left out, and why. */
  get problems(): string[] {
    const problems = [...this.#problems, ...this.#newProblems, ...this.#lastingProblems]
    const ofEmbedding = [this.#embeddingProblem, this.#localEmbedding?.problem].filter((problem) => typeof problem === 'string')
    return [...new Set([...problems, ...ofEmbedding])]
  }

  get isInThread(): boolean {
    return this.#indexer === null
  }

  get hasEmbedding(): boolean {
    return this.#embedding() !== null
  }

  /** Resolves when all files have been read. */
  get ready(): Promise<void> {
    return this.#ready.promise
  }

  /** Reads what changes in the folder, from now until `close`. */
  watch(): void {
    const onFailure = (cause: unknown) =>
      this.#options.onWarning('Watching the knowledge folder failed; changes apply after a restart.', cause)
    try {
      this.#watcher = watch(this.#options.directory, { persistent: false, recursive: true }, () => {
        clearTimeout(this.#settling)
        this.#settling = setTimeout(() => this.refresh(), SETTLE_MS)
      })
      this.#watcher.on('error', onFailure)
    } catch (cause) {
      onFailure(cause)
    }
  }

  refresh(): void {
    this.onRefresh()
    this.#refreshing = this.#refreshing
      .then(() => this.#refresh())
      .catch((cause: unknown) => this.#options.onWarning('Refreshing the knowledge failed; answering from the previous index.', cause))
  }

  /** The passages nearest to a query. Rejects when the thread has ended, and when too many searches wait for it. */
  async search(query: string, options: SearchOptions): Promise<SearchKnowledgeResult> {
    const beganAt = performance.now()
    const report = (outcome: SearchOutcome) => this.#options.onSearched?.(outcome, performance.now() - beganAt)
    try {
      const attributes = { [ATTRIBUTES.operation]: OPERATIONS.retrieval }
      const result = await inSpan(`${OPERATIONS.retrieval} knowledge`, { attributes }, async (span) => {
        const found = await this.#search(query, options)
        span.set({ [ATTRIBUTES.passages]: found.passages.length })
        return found
      })
      report('done')
      return result
    } catch (error) {
      report('failed')
      throw error
    }
  }

  async #search(query: string, options: SearchOptions): Promise<SearchKnowledgeResult> {
    if (this.#indexer) return searchKnowledge(this.#indexer.index, query, options)
    return (await this.#ask((id) => ({ kind: 'search', id, query, options }))) as SearchKnowledgeResult
  }

  /** The passages before and after one that a search returned; null when it is not there any more or not in these folders. */
  async neighbours(passage: string, options: NeighboursOptions): Promise<NeighbourPassages | null> {
    if (this.#indexer) return neighboursOf(this.#indexer.index, passage, options)
    return (await this.#ask((id) => ({ kind: 'neighbours', id, passage, options }))) as NeighbourPassages | null
  }

  async version(folders: readonly string[]): Promise<string> {
    if (this.#indexer) return versionOf(this.#indexer.index, this.#indexer.files, folders)
    return (await this.#ask((id) => ({ kind: 'version', id, folders }))) as string
  }

  async documents(limit: number): Promise<DocumentFacts[]> {
    if (this.#indexer) return documentsOf(this.#indexer.index, this.#indexer.files, limit)
    return (await this.#ask((id) => ({ kind: 'documents', id, limit }))) as DocumentFacts[]
  }

  setWordings(wordings: readonly string[]): void {
    this.#wordings = wordings
    if (this.#worker) this.#tell(this.#worker, { kind: 'wordings', wordings })
  }

  /** The wordings nearest to a prompt in meaning, nearest first; none without vectors, or where they take too long. Never rejects. */
  async nearWordings(prompt: string): Promise<NearWording[]> {
    if (this.#wordings.length === 0 || !this.#worker || !this.hasEmbedding) return []
    const found = this.#ask((id) => ({ kind: 'near-wordings', id, prompt })).catch(() => []) as Promise<NearWording[]>
    return Promise.race([found, pause(NEAR_WORDINGS_LIMIT_MS, [], { ref: false })])
  }

  async close(): Promise<void> {
    this.#isClosed = true
    this.#watcher?.close()
    clearTimeout(this.#settling)
    await this.#refreshing
    await this.#worker?.terminate()
    await this.#localEmbedding?.close()
  }

  async #refresh(): Promise<void> {
    if (this.#isClosed) return
    if (this.#worker) return this.#tell(this.#worker, { kind: 'refresh' })
    // Searches use the index in this process until the thread has indexed the folder.
    if (await isLarge(this.#options)) return this.#start()
    await this.#indexer?.refresh()
    this.#wasRead()
  }

  #ask(request: (id: number) => WorkerRequest): Promise<WorkerResult> {
    const worker = this.#worker
    if (!worker || this.#requests.size >= MAX_WAITING) return Promise.reject(new Error('The knowledge cannot be searched now.'))
    return this.#requests.send((id) => this.#tell(worker, request(id)))
  }

  #tell(worker: Worker, request: WorkerRequest): void {
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
    worker.postMessage(request)
  }

  /** Ends a complete read: problems that were not reported again are resolved. */
  #wasRead(): void {
    this.#problems = this.#newProblems
    this.#newProblems = new Set()
    const { dataDirectory, onWarning } = this.#options
    const stored = dataDirectory === null ? Promise.resolve() : writeLeftOut(dataDirectory, [...this.#problems])
    stored.catch((cause: unknown) => onWarning('The list of files that are not used could not be stored.', cause))
    this.#ready.resolve()
    this.onRead()
  }

  #setup() {
    const { directory, dataDirectory } = this.#options
    return { directory, sourcesDirectory: dataDirectory === null ? null : sourcesDirectoryOf(dataDirectory) }
  }

  #start(): void {
    if (!this.#indexer) this.progress = { indexed: 0, total: 0 }
    const worker = this.#startWorker()
    worker.unref()
    const local = this.#localEmbedding
    const responder = new EmbedResponder(async (texts, signal) => local?.embed(texts, signal) ?? [])
    worker.on('message', (reply: WorkerReply) => {
      if (reply.kind === 'embed' || reply.kind === 'cancel-embed') responder.receive(reply, (vectors) => this.#tell(worker, vectors))
      else this.#hear(reply)
    })
    worker.on('error', (cause) => this.#options.onWarning('The knowledge worker failed; restarting it.', cause))
    worker.on('exit', () => {
      responder.cancelAll()
      this.#restart()
    })
    this.#worker = worker
    if (this.#wordings.length > 0) this.setWordings(this.#wordings)
  }

  #startWorker(): Worker {
    const { dataDirectory, embedding, usesOcr = false } = this.#options
    const store = dataDirectory === null ? null : join(dataDirectory, 'knowledge', 'index')
    const maxEmbedded = embedding?.kind === 'local' && embedding.isDefault ? MAX_PASSAGES_BY_DEFAULT : undefined
    const setup: WorkerSetup = { ...this.#setup(), skip: [...this.#skip], usesOcr, embedding: this.#embedding(), maxEmbedded, store }
    return new Worker(new URL('./knowledge-worker.ts', import.meta.url), { workerData: setup, resourceLimits: THREAD_LIMITS })
  }

  #embedding(): WorkerSetup['embedding'] {
    const { embedding = null } = this.#options
    if (embedding?.kind !== 'local') return embedding
    return this.#localEmbedding && { kind: 'requested', identity: this.#localEmbedding.identity, prefixes: embedding.prefixes }
  }

  #hear(reply: Exclude<WorkerReply, EmbedRequest>): void {
    switch (reply.kind) {
      case 'problem':
        return this.#say(reply.problem)
      case 'extraction':
        this.#extractionPid = reply.pid
        return
      case 'embedding':
        this.embeddingProgress = reply.progress
        return
      case 'reading':
        this.#reading = reply.file
        this.#showProgress(reply.progress)
        if (reply.file !== null) return
        this.#indexer = null
        return this.#wasRead()
      case 'embedding-problem':
        return this.#embeddingChanged(reply.problem)
      case 'result':
        return this.#requests.resolve(reply.id, reply.result)
      case 'failure':
        return this.#requests.reject(reply.id, new Error('The knowledge could not be searched.'))
    }
  }

  #showProgress(progress: IndexingProgress | null): void {
    const now = performance.now()
    if (progress && now - this.#progressLoggedAt > PROGRESS_INTERVAL_MS) {
      this.#progressLoggedAt = now
      this.#options.onWarning(`Indexing the knowledge: ${progress.indexed} of ${progress.total} files. Searches use these so far.`)
    }
    this.progress = progress
  }

  /** A parser that hangs does not notice that its thread is gone. */
  #endExtraction(): void {
    if (this.#extractionPid === null) return
    try {
      process.kill(this.#extractionPid, 'SIGKILL')
    } catch {
      // It has ended.
    }
    this.#extractionPid = null
  }

  /** Logs when embedding begins to fail, and when it works again. */
  #embeddingChanged(problem: string | null): void {
    const before = this.#embeddingProblem
    this.#embeddingProblem = problem
    if (problem !== before) this.#options.onWarning(problem ?? 'Embeddings work again: the knowledge is searched by meaning too.')
  }

  /** A file that took the thread with it is left out the next time. */
  #restart(): void {
    this.#requests.rejectAll(new Error('The knowledge cannot be searched now.'))
    this.#worker = null
    this.#endExtraction()
    if (this.#isClosed) return
    if (this.#reading !== null) {
      this.#skip.add(this.#reading)
      this.#sayForGood(`${this.#reading}: skipped. It could not be read to its end.`)
      this.#reading = null
    }
    this.#restarts += 1
    if (this.#restarts <= MAX_RESTARTS) this.#start()
    else this.#sayForGood('The knowledge cannot be searched: the thread for it ends again and again.')
  }

  #say(problem: string): void {
    if (!this.#problems.has(problem) && !this.#newProblems.has(problem)) this.#options.onWarning(problem)
    this.#newProblems.add(problem)
  }

  #sayForGood(problem: string): void {
    this.#options.onWarning(problem)
    this.#lastingProblems.add(problem)
  }
}

async function openLocalEmbedding({ embedding, localRuntime, onWarning }: KnowledgeOptions): Promise<LocalEmbedding | null> {
  if (embedding?.kind !== 'local' || !localRuntime) return null
  const { LocalEmbedding: Local } = await import('./embeddings/local/local-embedding.ts')
  return new Local({ source: embedding.source, place: localRuntime, onWarning })
}
