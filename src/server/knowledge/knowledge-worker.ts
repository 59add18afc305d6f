import { dirname, join } from 'node:path'
import { parentPort, workerData } from 'node:worker_threads'
import type { EmbeddingEndpoint } from './embeddings/embed.ts'
import { embedderOf, type RequestedEmbedding } from './embeddings/embedder.ts'
import { EmbeddingIndex, type EmbeddingProgress } from './embeddings/embedding-index.ts'
import { type EmbedReply, type EmbedRequest, RequestedEmbed } from './embeddings/requested-embed.ts'
import { type NearWording, WordingIndex } from './embeddings/wording-index.ts'
import {
  isInFolders,
  type NeighbourPassages,
  type NeighboursOptions,
  neighboursOf,
  rankPassages,
  resultOf,
  type SearchKnowledgeResult,
  type SearchOptions,
} from './retrieval/search.ts'
import { NEAREST } from './retrieval/fusion.ts'
import { type DocumentFacts, documentsOf, versionOf } from './retrieval/documents.ts'
import { type IndexingProgress, loadFolderIndexer } from './index/folder-indexer.ts'
import { type ExtractedFile, type ExtractionRequest, readableOf } from './ingestion/extract-file.ts'
import { extractionProgram } from './ingestion/extraction-program.ts'
import { ParserProcess } from '../parsing/parser-process.ts'

export interface WorkerSetup {
  directory: string
  sourcesDirectory: string | null
  store: string | null
  skip: string[]
  usesOcr: boolean
  /** Source of vectors: an endpoint, or the server's own model; null if none. */
  embedding: EmbeddingEndpoint | RequestedEmbedding | null
  maxEmbedded: number | undefined
}

export type WorkerRequest =
  | { kind: 'search'; id: number; query: string; options: SearchOptions }
  | { kind: 'neighbours'; id: number; passage: string; options: NeighboursOptions }
  | { kind: 'version'; id: number; folders: readonly string[] }
  | { kind: 'documents'; id: number; limit: number }
  | { kind: 'near-wordings'; id: number; prompt: string }
  | { kind: 'wordings'; wordings: readonly string[] }
  | { kind: 'refresh' }
  | EmbedReply

export type WorkerResult = SearchKnowledgeResult | NeighbourPassages | string | DocumentFacts[] | NearWording[] | null
export type AnsweredRequest = Extract<WorkerRequest, { kind: 'search' | 'neighbours' | 'version' | 'documents' | 'near-wordings' }>

export type WorkerReply =
  | { kind: 'problem'; problem: string }
  /** Current problem of embedding; `null` if none. */
  | { kind: 'embedding-problem'; problem: string | null }
  | { kind: 'embedding'; progress: EmbeddingProgress | null }
  | { kind: 'reading'; file: string | null; progress: IndexingProgress | null }
  | { kind: 'extraction'; pid: number | null }
  | { kind: 'result'; id: number; result: WorkerResult }
  | { kind: 'failure'; id: number }
  | EmbedRequest

const say = (reply: WorkerReply) => {
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
  parentPort?.postMessage(reply)
}

const { skip, embedding, maxEmbedded, ...setup } = workerData as WorkerSetup
const extraction = new ParserProcess<ExtractionRequest, ExtractedFile>(extractionProgram(setup.usesOcr), (pid) =>
  say({ kind: 'extraction', pid }),
)
const indexer = await loadFolderIndexer({
  ...setup,
  skip: new Set(skip),
  extract: async (request) => readableOf(await extraction.parse(request)),
  onProblem: (problem) => say({ kind: 'problem', problem }),
  onReading: (file) => {
    // Before the end of reading is said, so that at no moment everything seems to be done.
    if (file === null && embedding) say({ kind: 'embedding', progress: { embedded: 0, total: indexer.index.size } })
    say({ kind: 'reading', file, progress: indexer.progress })
  },
})
const requested = new RequestedEmbed(say)
const embedder = embedding && embedderOf(embedding, requested.embed, (problem) => say({ kind: 'embedding-problem', problem }))
const storeOf = (name: string) => (setup.store === null ? null : join(dirname(setup.store), name))
const embeddingIndex =
  embedder &&
  (await EmbeddingIndex.open({
    index: indexer.index,
    embedder,
    store: storeOf('vectors'),
    maxPassages: maxEmbedded,
    onProgress: (progress) => say({ kind: 'embedding', progress }),
  }))
const wordingIndex = embedder && (await WordingIndex.open(embedder, storeOf('wordings')))

async function search(query: string, options: SearchOptions): Promise<SearchKnowledgeResult> {
  const { folders } = options
  const { index } = indexer
  const near = embeddingIndex && query !== '' ? await embeddingIndex.nearest(query, folders.join('\n'), isInFolders(folders), NEAREST) : []
  return { ...resultOf(index, query, options, rankPassages(index, query, options, near)), progress: indexer.progress }
}

async function answer(request: AnsweredRequest): Promise<WorkerResult> {
  if (request.kind === 'documents') return documentsOf(indexer.index, indexer.files, request.limit)
  if (request.kind === 'version') return versionOf(indexer.index, indexer.files, request.folders)
  if (request.kind === 'search') return search(request.query, request.options)
  if (request.kind === 'near-wordings') return (await wordingIndex?.near(request.prompt)) ?? []
  return neighboursOf(indexer.index, request.passage, request.options)
}

// A rejection ends the thread, which is started again.
let refreshing = refresh()

async function refresh(): Promise<void> {
  await indexer.refresh()
  extraction.close()
  embeddingIndex?.refresh()
}

parentPort?.on('message', (request: WorkerRequest) => {
  if (request.kind === 'embedded') return requested.settle(request)
  if (request.kind === 'refresh') {
    refreshing = refreshing.then(refresh)
    return
  }
  if (request.kind === 'wordings') return void wordingIndex?.set(request.wordings)
  const { id } = request
  answer(request).then(
    (result) => say({ kind: 'result', id, result }),
    () => say({ kind: 'failure', id }),
  )
})
