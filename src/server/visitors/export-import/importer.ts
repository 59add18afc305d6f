import { Worker } from 'node:worker_threads'
import type { ImportReply } from '../../../contract/export.ts'
import type { Database } from '../../store/database.ts'
import { insertImportedChat } from '../../store/import.ts'
import type { ImportedChat } from './read-import.ts'

/** A document that takes longer to parse is rejected. */
const READ_LIMIT_MS = 5_000
const READER_LIMITS = { maxOldGenerationSizeMb: 256 }

export interface ImporterOptions {
  database: Database
  newSessionId: () => string
  newMessageId: () => string
  now: () => number
}

export interface ImportTarget {
  owner: string
  /** Agents of this installation; chats with any other agent continue with the first. */
  agentIds: readonly string[]
  firstAgentId: string
}

/** Imports exported chats as new chats with new ids, each once. */
export class Importer {
  readonly #options: ImporterOptions

  constructor(options: ImporterOptions) {
    this.#options = options
  }

  /** Parses a document in a worker thread; undefined if it is invalid. */
  read(bytes: Uint8Array): Promise<ImportedChat[] | undefined> {
    return new Promise((resolve, reject) => {
      const worker = new Worker(new URL('./import-worker.ts', import.meta.url), { workerData: bytes, resourceLimits: READER_LIMITS })
      const limit = setTimeout(() => finish(undefined), READ_LIMIT_MS)
      worker.once('message', (chats: ImportedChat[] | null) => finish(chats ?? undefined))
      worker.once('error', (error: NodeJS.ErrnoException) => {
        if (error.code === 'ERR_WORKER_OUT_OF_MEMORY') finish(undefined)
        else reject(error)
      })

      function finish(chats: ImportedChat[] | undefined) {
        clearTimeout(limit)
        worker.terminate().then(() => resolve(chats), reject)
      }
    })
  }

  /** Stores each chat in its own transaction, so an interrupted import can be repeated. */
  async store(chats: ImportedChat[], { owner, agentIds, firstAgentId }: ImportTarget): Promise<ImportReply> {
    const { database, newSessionId, newMessageId, now } = this.#options
    const at = now()
    const sessions: string[] = []
    const counts = { imported: 0, known: 0, 'no-room': 0 }
    for (const chat of chats) {
      const session = {
        id: newSessionId(),
        owner,
        agent: agentIds.includes(chat.agent) ? chat.agent : firstAgentId,
        title: chat.title,
        createdAt: Math.min(chat.createdAt, at),
        updatedAt: Math.min(chat.updatedAt, at),
        importedAt: at,
      }
      const outcome = await insertImportedChat(database, session, chat, newMessageId)
      counts[outcome] += 1
      if (outcome === 'imported') sessions.push(session.id)
    }
    return { imported: counts.imported, skipped: counts.known, withoutRoom: counts['no-room'], sessions }
  }
}
