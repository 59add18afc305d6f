import type { Database } from '../store/database.ts'
import { listTurnEvents } from '../store/turn-events.ts'
import { findAnswer, findEnd } from '../store/turn-ends.ts'
import { type StoredTurn } from '../store/turns.ts'
import type { StoredTurnReader } from './follow.ts'
import { newMessageId } from './ids.ts'
import type { TurnResult } from './running-turn.ts'

/** Reads a turn from the database. */
export function storedTurn(database: Database, turn: Pick<StoredTurn, 'id' | 'session'>): StoredTurnReader {
  return {
    events: (after, maxCharacters) => listTurnEvents(database, turn.id, after, maxCharacters),
    answer: () => findAnswer(database, turn),
  }
}

/** The end of a finished turn; interrupted if it was deleted with its session. */
export async function storedEnd(database: Database, { id, session }: Pick<StoredTurn, 'id' | 'session'>): Promise<TurnResult> {
  const end = await findEnd(database, id)
  if (end) return end
  const ended = { status: 'interrupted', code: 'not_found', state: 'interrupted' } as const
  const metadata = { sessionId: session, turnId: id, ...ended }
  return { ...ended, usage: null, answer: { id: newMessageId(), role: 'assistant', parts: [], metadata } }
}
