import type { Database } from './database.ts'

export interface ImportedSession {
  id: string
  owner: string
  agent: string
  title: string
  createdAt: number
  updatedAt: number
}

export interface ImportedContent {
  contentHash: string
  messages: { role: 'user' | 'assistant'; parts: string; metadata: string; createdAt: number }[]
}

/** Rows of one statement: between statements others have the event loop. */
const MESSAGES_A_STATEMENT = 20

class AlreadyImported extends Error {}

/** Stores a chat with its messages, in one transaction. Returns false, and stores nothing, when its owner has imported the same before. */
export async function insertImportedChat(
  database: Database,
  session: ImportedSession,
  { contentHash, messages }: ImportedContent,
  newMessageId: () => string,
): Promise<boolean> {
  const rows = messages.map((message, index) => ({
    id: newMessageId(),
    session_id: session.id,
    position: index + 1,
    role: message.role,
    parts: message.parts,
    metadata: message.metadata,
    created_at: Math.min(message.createdAt, session.updatedAt),
  }))
  try {
    await database.transaction().execute(async (transaction) => {
      await insertOnce(transaction, session, contentHash)
      for (let start = 0; start < rows.length; start += MESSAGES_A_STATEMENT) {
        await transaction
          .insertInto('messages')
          .values(rows.slice(start, start + MESSAGES_A_STATEMENT))
          .execute()
      }
    })
    return true
  } catch (error) {
    if (error instanceof AlreadyImported) return false
    throw error
  }
}

async function insertOnce(database: Database, session: ImportedSession, contentHash: string): Promise<void> {
  const { id, owner, agent, title, createdAt, updatedAt } = session
  await database
    .insertInto('sessions')
    .values({ id, owner, agent, title, open_by_id: 0, temporary: 0, created_at: createdAt, updated_at: updatedAt })
    .execute()
  const imported = await database
    .insertInto('imports')
    .values({ session_id: id, owner, content_hash: contentHash })
    .onConflict((conflict) => conflict.columns(['owner', 'content_hash']).doNothing())
    .returning('session_id')
    .executeTakeFirst()
  if (!imported) throw new AlreadyImported()
}
