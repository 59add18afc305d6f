import { setImmediate as immediate } from 'node:timers/promises'
import type { ImportReply } from '../../../contract/chat/export.ts'
import type { Database } from '../../store/engine/database.ts'
import type { ParserProgram } from '../../parsing/parser-process.ts'
import { insertImportedChat } from '../../store/sessions/import.ts'
import type { ImportedChat } from './read-import.ts'

/** A document that exceeds these limits is rejected. */
const IMPORT_PARSER: ParserProgram = {
  url: new URL('./parse-import.ts', import.meta.url),
  // Includes the start of the process, which takes seconds on a busy machine.
  timeMs: 20_000,
  residentBytes: 384 * 1024 * 1024,
}

/** A valid chat as JSON, which the parser process has written. */
export type EncodedChat = Uint8Array

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

  /** Parses a document in a process of its own; undefined if it is invalid. Rejects when the signal aborts. */
  async read(bytes: Uint8Array, signal?: AbortSignal): Promise<EncodedChat[] | undefined> {
    // Loaded on first use, for the memory of an idle server.
    const { parseApart } = await import('../../parsing/parser-process.ts')
    const outcome = await parseApart<EncodedChat[] | undefined>(IMPORT_PARSER, bytes, signal)
    return outcome.kind === 'parsed' ? outcome.value : undefined
  }

  /** Stores each chat in its own transaction, so an interrupted import can be repeated. */
  async store(chats: readonly EncodedChat[], { owner, agentIds, firstAgentId }: ImportTarget): Promise<ImportReply> {
    const { database, newSessionId, newMessageId, now } = this.#options
    const at = now()
    const sessions: string[] = []
    const counts = { imported: 0, known: 0, 'no-room': 0 }
    for (const encoded of chats) {
      // Other requests are served in between, also where nothing is stored.
      await immediate()
      const chat = JSON.parse(Buffer.from(encoded).toString()) as ImportedChat
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
