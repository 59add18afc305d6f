import { dirname, join } from 'node:path'
import { parentPort, workerData } from 'node:worker_threads'
import type { Language } from '../../contract/languages.ts'
import { createEmbed, type EmbeddingSettings } from './embeddings/embed.ts'
import { EmbeddingIndex } from './embeddings/embedding-index.ts'
import {
  isIn,
  type NeighbourPassages,
  type NeighboursOptions,
  neighboursOf,
  searchKnowledge,
  type SearchKnowledgeResult,
  type SearchOptions,
} from './retrieval/search.ts'
import { openFolderIndexer } from './index/folder-indexer.ts'

export interface WorkerSetup {
  directory: string
  languages: readonly Language[]
  store: string | null
  skip: string[]
  /** What tells how near texts are in meaning; null for nothing. */
  embedding: EmbeddingSettings | null
}

export type WorkerRequest =
  | { kind: 'search'; id: number; query: string; options: SearchOptions }
  | { kind: 'neighbours'; id: number; passage: string; options: NeighboursOptions }
  | { kind: 'refresh' }

export type WorkerReply =
  | { kind: 'problem'; problem: string }
  /** What is wrong with the search by meaning now. */
  | { kind: 'meaning'; problem: string | null }
  | { kind: 'reading'; file: string | null }
  | { kind: 'result'; id: number; result: SearchKnowledgeResult | NeighbourPassages | null }
  | { kind: 'failure'; id: number }

/** How many passages near in meaning are looked for. */
const NEAR = 20

const say = (reply: WorkerReply) => {
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
  parentPort?.postMessage(reply)
}

const { skip, embedding, ...setup } = workerData as WorkerSetup
const indexer = await openFolderIndexer({
  ...setup,
  skip: new Set(skip),
  onProblem: (problem) => say({ kind: 'problem', problem }),
  onReading: (file) => say({ kind: 'reading', file }),
})
const embeddingIndex =
  embedding &&
  (await EmbeddingIndex.open({
    index: indexer.index,
    embed: createEmbed(embedding),
    identity: `${embedding.model} ${embedding.baseUrl}`,
    store: setup.store === null ? null : join(dirname(setup.store), 'vectors'),
    onProblem: (problem) => say({ kind: 'meaning', problem }),
  }))

/** The built-in assistant searches by words alone: it cannot judge whether a passage near in meaning is an answer. */
async function search(query: string, options: SearchOptions): Promise<SearchKnowledgeResult> {
  const { folders, caller } = options
  const near = caller === 'model' && embeddingIndex ? await embeddingIndex.nearest(query, folders.join('\n'), isIn(folders), NEAR) : []
  return searchKnowledge(indexer.index, query, options, near)
}

async function answer(request: Exclude<WorkerRequest, { kind: 'refresh' }>): Promise<SearchKnowledgeResult | NeighbourPassages | null> {
  if (request.kind === 'search') return search(request.query, request.options)
  return neighboursOf(indexer.index, request.passage, request.options)
}

let refreshing = Promise.resolve()

// What was asked meanwhile has waited in the port.
parentPort?.on('message', (request: WorkerRequest) => {
  if (request.kind === 'refresh') {
    // What it rejects with ends the thread, as when the folder is first read.
    refreshing = refreshing.then(() => indexer.refresh()).then(() => embeddingIndex?.refresh())
    return
  }
  const { id } = request
  answer(request).then(
    (result) => say({ kind: 'result', id, result }),
    () => say({ kind: 'failure', id }),
  )
})
