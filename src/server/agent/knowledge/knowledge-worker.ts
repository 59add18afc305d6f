import { parentPort, workerData } from 'node:worker_threads'
import type { Language } from '../../../contract/languages.ts'
import { searchKnowledge, type SearchKnowledgeResult } from './search.ts'
import { openShelf } from './shelf.ts'

export interface WorkerSetup {
  directory: string
  languages: readonly Language[]
  store: string | null
  skip: string[]
}

export interface WorkerRequest {
  id: number
  query: string
  folders: readonly string[]
}

export type WorkerReply =
  | { kind: 'problem'; problem: string }
  | { kind: 'reading'; file: string | null }
  | { kind: 'result'; id: number; result: SearchKnowledgeResult }
  | { kind: 'failure'; id: number }

const say = (reply: WorkerReply) => {
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
  parentPort?.postMessage(reply)
}

const { skip, ...setup } = workerData as WorkerSetup
const index = await openShelf({
  ...setup,
  skip: new Set(skip),
  onProblem: (problem) => say({ kind: 'problem', problem }),
  onReading: (file) => say({ kind: 'reading', file }),
})

// What was asked meanwhile has waited in the port.
parentPort?.on('message', ({ id, query, folders }: WorkerRequest) => {
  try {
    say({ kind: 'result', id, result: searchKnowledge(index, query, folders) })
  } catch {
    say({ kind: 'failure', id })
  }
})
