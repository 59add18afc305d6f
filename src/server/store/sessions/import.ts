import { setImmediate as immediate } from 'node:timers/promises'
import { sql } from 'kysely'
import { unrestricted } from '../visitors/access.ts'
import type { Database } from '../engine/database.ts'

export interface ImportedSession {
  id: string
  owner: string
  agent: string
  title: string
  createdAt: number
  updatedAt: number
  importedAt: number
}

export interface ImportedContent {
  contentHash: string
  /** `follows` is the number of each message's parent, from 1, or 0 for none; the previous message by default. */
  messages: { role: 'user' | 'assistant'; parts: string; metadata: string; createdAt: number; follows?: number }[]
  /** Number of the last message of the current branch. */
  lastShown: number
}

/** Rows per statement. The event loop gets a turn after each, because SQLite's statements don't give it one. */
const MESSAGES_A_STATEMENT = 20

/** Limit of an owner's imported chats in stored JSON. Deleting chats frees it. */
const MAX_CHARACTERS_OF_OWNER = 50 * 1024 * 1024

export type Imported = 'imported' | 'known' | 'no-room'

class NotImported extends Error {
  readonly why: Exclude<Imported, 'imported'>

  constructor(why: Exclude<Imported, 'imported'>) {
    super(why)
    this.why = why
  }
}

/** Stores a chat with its messages in one transaction, or nothing. */
export async function insertImportedChat(
  database: Database,
  session: ImportedSession,
  { contentHash, messages, lastShown }: ImportedContent,
  newMessageId: () => string,
): Promise<Imported> {
  const rows = messages.map((message, index) => ({
    id: newMessageId(),
    session_id: session.id,
    position: index + 1,
    parent: message.follows ?? index,
    role: message.role,
    turn_id: null,
    parts: message.parts,
    metadata: message.metadata,
    created_at: Math.min(message.createdAt, session.importedAt),
  }))
  try {
    await database.transaction().execute(async (transaction) => {
      await insertOnce(transaction, { ...session, leaf: lastShown }, contentHash, charactersOf(messages))
      for (let start = 0; start < rows.length; start += MESSAGES_A_STATEMENT) {
        await transaction
          .insertInto('messages')
          .values(rows.slice(start, start + MESSAGES_A_STATEMENT))
          .execute()
        await immediate()
      }
    })
    return 'imported'
  } catch (error) {
    if (error instanceof NotImported) return error.why
    throw error
  }
}

async function insertOnce(
  database: Database,
  session: ImportedSession & { leaf: number },
  contentHash: string,
  characters: number,
): Promise<void> {
  const { id, owner, agent, title, leaf, createdAt, updatedAt, importedAt } = session
  await unrestricted(database)
    .insertInto('sessions')
    .values({
      id,
      owner,
      agent,
      title,
      open_by_id: 0,
      temporary: 0,
      leaf,
      created_at: createdAt,
      updated_at: updatedAt,
      imported_at: importedAt,
    })
    .execute()
  const imported = await database
    .insertInto('imports')
    .values({ session_id: id, owner, content_hash: contentHash, characters })
    .onConflict((conflict) => conflict.columns(['owner', 'content_hash']).doNothing())
    .returning('session_id')
    .executeTakeFirst()
  if (!imported) throw new NotImported('known')
  const { sum } = await database
    .selectFrom('imports')
    .select(sql<number>`cast(sum(characters) as bigint)`.as('sum'))
    .where('owner', '=', owner)
    .executeTakeFirstOrThrow()
  if (sum > MAX_CHARACTERS_OF_OWNER) throw new NotImported('no-room')
}

function charactersOf(messages: ImportedContent['messages']): number {
  return messages.reduce((sum, { parts, metadata }) => sum + parts.length + metadata.length, 0)
}
