import { Worker } from 'node:worker_threads'
import type { ImportReply } from '../../../contract/export.ts'
import type { Database } from '../../store/database.ts'
import { insertImportedChat } from '../../store/import.ts'
import type { ImportedChat } from './read-import.ts'

/** A document that takes longer to read is refused. */
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
  /** Agents of this installation; chats with another one go on with the first. */
  agentIds: readonly string[]
  firstAgentId: string
}

/** Takes in what an export gave out: as new chats with new ids, each once. */
export class Importer {
  readonly #options: ImporterOptions

  constructor(options: ImporterOptions) {
    this.#options = options
  }

  /** The chats of a document, read in a thread of its own; undefined for what is no such document. */
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

  /** Stores chats, each in a transaction of its own: what is done stays done, and a repeated import goes on after it. */
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
