import { dirname, join } from 'node:path'
import { parentPort, workerData } from 'node:worker_threads'
import type { Language } from '../../contract/languages.ts'
import { createEmbed, type EmbeddingSettings } from './embeddings/embed.ts'
import { EmbeddingIndex } from './embeddings/embedding-index.ts'
import { isIn, searchKnowledge, type SearchKnowledgeResult } from './retrieval/search.ts'
import { openFolderIndexer } from './index/folder-indexer.ts'

export interface WorkerSetup {
  directory: string
  languages: readonly Language[]
  store: string | null
  skip: string[]
  /** What tells how near texts are in meaning; null for nothing. */
  embedding: EmbeddingSettings | null
}

/** `byMeaning`: whether passages may be found that have none of the words. */
export type WorkerRequest =
  | { kind: 'search'; id: number; query: string; folders: readonly string[]; byMeaning: boolean }
  | { kind: 'refresh' }

export type WorkerReply =
  | { kind: 'problem'; problem: string }
  /** What is wrong with the search by meaning now. */
  | { kind: 'meaning'; problem: string | null }
  | { kind: 'reading'; file: string | null }
  | { kind: 'result'; id: number; result: SearchKnowledgeResult }
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

async function search({ query, folders, byMeaning }: Extract<WorkerRequest, { kind: 'search' }>): Promise<SearchKnowledgeResult> {
  const near = byMeaning && embeddingIndex ? await embeddingIndex.nearest(query, folders.join('\n'), isIn(folders), NEAR) : []
  return searchKnowledge(indexer.index, query, folders, near)
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
  search(request).then(
    (result) => say({ kind: 'result', id, result }),
    () => say({ kind: 'failure', id }),
  )
})
