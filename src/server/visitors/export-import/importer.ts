import { setImmediate as immediate } from 'node:timers/promises'
import type { ImportReply } from '../../../contract/chat/export.ts'
import { kindsWith, type PersonalDataRules } from '../../../personal-data/kinds.ts'
import { textMasker } from '../../../personal-data/text-masker.ts'
import type { Database } from '../../store/engine/database.ts'
import type { ParserProgram } from '../../parsing/parser-process.ts'
import { insertImportedChat } from '../../store/sessions/import.ts'
import type { ImportedChat, ImportedMessage } from './read-import.ts'

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

interface ImportingAgent {
  id: string
  personalData: PersonalDataRules
}

export interface ImportTarget {
  owner: string
  /** Chats with none of these agents continue with the first. A chat follows the rules of its agent. */
  agents: { find: (id: string) => ImportingAgent | undefined; first: ImportingAgent }
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
  async store(chats: readonly EncodedChat[], { owner, agents }: ImportTarget): Promise<ImportReply> {
    const { database, newSessionId, newMessageId, now } = this.#options
    const at = now()
    const sessions: string[] = []
    const counts = { imported: 0, known: 0, 'no-room': 0 }
    for (const encoded of chats) {
      // Other requests are served in between, also where nothing is stored.
      await immediate()
      const read = JSON.parse(Buffer.from(encoded).toString()) as ImportedChat
      const agent = agents.find(read.agent) ?? agents.first
      const chat = await maskChat(read, agent.personalData)
      const session = {
        id: newSessionId(),
        owner,
        agent: agent.id,
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

/** Masks what the rules mask or refuse in a chat's title and in every value of its messages. */
async function maskChat(chat: ImportedChat, rules: PersonalDataRules): Promise<ImportedChat> {
  if (kindsWith(rules, 'mask', 'refuse').length === 0) return chat
  const masked = textMasker(rules)
  const maskValue = (_: string, value: unknown) => {
    if (typeof value !== 'string' && typeof value !== 'number') return value
    const text = masked(String(value))
    return text === String(value) ? value : text
  }
  const messages: ImportedMessage[] = []
  for (const message of chat.messages) {
    messages.push({ ...message, parts: JSON.stringify(JSON.parse(message.parts, maskValue)) })
    await immediate()
  }
  return { ...chat, title: masked(chat.title), messages }
}
