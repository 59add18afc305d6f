import { randomUUID } from 'node:crypto'
import { parentPort, workerData } from 'node:worker_threads'
import type { StemmerLanguage } from '../../contract/stemmer-languages.ts'
import type { EmbeddingEndpoint } from './embeddings/embed.ts'
import { textOf } from './embeddings/embedded-text.ts'
import { embedderOf, type RequestedEmbedding } from './embeddings/embedder.ts'
import { RequestedEmbed } from './embeddings/requested-embed.ts'
import { ExtractionProcess } from './ingestion/extraction-process.ts'
import type { AnsweredRequest, WorkerReply, WorkerRequest, WorkerResult } from './knowledge-worker.ts'
import { SharedIndex } from './postgres/shared-index.ts'
import { SharedIndexer } from './postgres/shared-indexer.ts'
import { LEASE_S, SharedStore } from './postgres/shared-store.ts'
import { type NearRow, SharedVectors } from './postgres/shared-vectors.ts'
import type { DocumentFacts } from './retrieval/documents.ts'
import { describeDocuments, type KnowledgeOverview, languageOf, samplesOf } from './retrieval/overview.ts'
import { Reranker, type RerankSettings } from './retrieval/rerank.ts'
import {
  isInFolders,
  neighboursOf,
  rankPassages,
  resultOf,
  searchKnowledge,
  type SearchKnowledgeResult,
  type SearchOptions,
} from './retrieval/search.ts'

export interface SharedWorkerSetup {
  directory: string
  sourcesDirectory: string | null
  languages: readonly StemmerLanguage[]
  enrichmentFile: string | null
  skip: string[]
  embedding: EmbeddingEndpoint | RequestedEmbedding | null
  rerank: RerankSettings | null
  databaseUrl: string
}

/** How often the writer renews its lease and other processes try to acquire it. */
const LEASE_INTERVAL_MS = (LEASE_S * 1000) / 3
/** Documents that the overview reads. */
const MAX_DOCUMENTS = 20_000
const FIRST_RETRY_MS = 500
const LONGEST_RETRY_MS = 30_000
const AWAY = 'The shared index of the knowledge cannot be reached: DATABASE_URL does not answer. It is tried again.'

const send = (reply: WorkerReply) => {
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
  parentPort?.postMessage(reply)
}

const { databaseUrl, skip, embedding, rerank, ...setup } = workerData as SharedWorkerSetup
const store = new SharedStore(databaseUrl, randomUUID(), () => send({ kind: 'service', service: 'database', problem: AWAY }))
const index = await SharedIndex.open(setup.languages, store)
const extraction = new ExtractionProcess({}, (pid) => send({ kind: 'extraction', pid }))
const indexer = new SharedIndexer({
  ...setup,
  shared: store,
  skip: new Set(skip),
  extract: (request) => extraction.extract(request),
  onProblem: (problem) => send({ kind: 'problem', problem }),
  onReading: (file) => send({ kind: 'reading', file, progress: null }),
})
const requested = new RequestedEmbed(send)
const embedder = embedding && embedderOf(embedding, requested.embed, (problem) => send({ kind: 'service', service: 'embedding', problem }))
/** Null until the database has been reached, and where it has no vectors. */
let vectors: SharedVectors | null = null
const reranker = rerank && new Reranker({ settings: rerank, onProblem: (problem) => send({ kind: 'service', service: 'rerank', problem }) })

async function search(query: string, options: SearchOptions): Promise<SearchKnowledgeResult> {
  const { folders, caller } = options
  if (caller === 'builtin') return searchKnowledge(await index.candidatesFor(query, folders), query, options)
  const nearest = vectors?.nearest(query, folders) ?? Promise.resolve<NearRow[]>([])
  const candidates = await index.candidatesFor(query, folders, nearest)
  const near = (await nearest).flatMap(({ id: stableId, similarity }) => {
    const id = candidates.numberOf(stableId)
    return id === undefined ? [] : [{ id, score: similarity }]
  })
  const ranked = rankPassages(candidates, query, options, near)
  return resultOf(candidates, query, options, reranker ? await reranker.rerank(query, ranked, textOf) : ranked)
}

async function overview(folders: readonly string[]): Promise<KnowledgeOverview> {
  const isOpen = isInFolders(folders)
  const documents = (await store.documents(MAX_DOCUMENTS)).filter(({ file }) => isOpen(file))
  const [texts, hashes] = await Promise.all([store.beginnings(samplesOf(documents).map(({ file }) => file)), store.files()])
  return describeDocuments(documents, texts, hashes)
}

async function listDocuments(limit: number): Promise<DocumentFacts[]> {
  const rows = await store.documentFacts(limit)
  return rows.map(({ beginning, ...facts }) => ({ ...facts, language: languageOf(beginning) }))
}

async function answer(request: AnsweredRequest): Promise<WorkerResult> {
  if (request.kind === 'documents') return listDocuments(request.limit)
  if (request.kind === 'overview') return overview(request.folders)
  if (request.kind === 'search') return search(request.query, request.options)
  const { folders, before, after } = request.options
  return neighboursOf(await index.around(request.passage, folders, before, after), request.passage, request.options)
}

let isWriter = false
let isOpen = false
let retryMs = FIRST_RETRY_MS
let mayLackVectors = false
let isFilling = false
let queued = 0
let refreshing = Promise.resolve()
queueRefresh()

function queueRefresh(): void {
  queued += 1
  refreshing = refreshing.then(refresh).finally(() => (queued -= 1))
}

/** Never rejects. While the database is unavailable, it retries with backoff. */
async function refresh(): Promise<void> {
  try {
    if (!isOpen) await open()
    isWriter = await indexer.refresh()
    extraction.close()
    retryMs = FIRST_RETRY_MS
    send({ kind: 'service', service: 'database', problem: null })
    send({ kind: 'reading', file: null, progress: null })
    mayLackVectors = true
    fillVectors().catch(() => undefined)
  } catch {
    send({ kind: 'service', service: 'database', problem: AWAY })
    setTimeout(queueRefresh, retryMs).unref()
    retryMs = Math.min(2 * retryMs, LONGEST_RETRY_MS)
  }
}

async function open(): Promise<void> {
  await store.open()
  vectors = embedder && (await SharedVectors.open(store, embedder))
  isOpen = true
}

/** Embeds new passages in the background. Passages added meanwhile, and failures, are left to the next `renewLease`. */
async function fillVectors(): Promise<void> {
  if (isFilling || !vectors || !isWriter || !mayLackVectors) return
  isFilling = true
  mayLackVectors = false
  try {
    await vectors.fill(() => isWriter)
  } catch {
    mayLackVectors = true
  } finally {
    isFilling = false
  }
}

setInterval(() => {
  renewLease().catch(() => undefined)
}, LEASE_INTERVAL_MS).unref()

/** Renews the lease, or acquires it and then reads the folder. */
async function renewLease(): Promise<void> {
  const hasLease = await store.lease()
  if (hasLease && !isWriter && queued === 0) queueRefresh()
  isWriter = hasLease && isWriter
  await fillVectors()
}

parentPort?.on('message', (request: WorkerRequest) => {
  if (request.kind === 'embedded') return requested.settle(request)
  if (request.kind === 'refresh') return queueRefresh()
  const { id } = request
  answer(request).then(
    (result) => send({ kind: 'result', id, result }),
    () => send({ kind: 'failure', id }),
  )
})
