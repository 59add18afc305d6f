import type { Selectable } from 'kysely'
import type { ChatMessage } from '../../../contract/chat/message.ts'
import type { Database } from '../engine/database.ts'
import type { Schema } from '../engine/schema/schema.ts'

/** Reads a stored message. Its metadata includes the time at which it was stored and the turn that wrote it. */
export function messageOfRow(row: Selectable<Schema['messages']>): ChatMessage {
  return {
    id: row.id,
    role: row.role,
    metadata: {
      createdAt: new Date(row.created_at).toISOString(),
      ...(row.turn_id !== null && { turnId: row.turn_id }),
      ...JSON.parse(row.metadata),
    },
    parts: JSON.parse(row.parts),
  }
}

export interface NewPlace {
  session: string
  position: number
  parent: number
}

export function rowOfMessage(message: ChatMessage, { session, ...place }: NewPlace, now: number): Selectable<Schema['messages']> {
  const { turnId = null, ...metadata } = message.metadata ?? {}
  return {
    id: message.id,
    session_id: session,
    ...place,
    role: message.role === 'user' ? 'user' : 'assistant',
    turn_id: turnId,
    parts: JSON.stringify(message.parts),
    metadata: JSON.stringify(metadata),
    created_at: now,
  }
}

export async function insertMessage(database: Database, row: ReturnType<typeof rowOfMessage>): Promise<void> {
  await database.insertInto('messages').values(row).execute()
}
