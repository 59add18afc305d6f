import { answerStateOf } from '../../../contract/chat/answer-state.ts'
import type { Database } from '../../store/engine/database.ts'
import { listTurnEvents } from '../../store/turns/turn-events.ts'
import { findAnswer, findEnd } from '../../store/turns/turn-ends.ts'
import { type StoredTurn } from '../../store/turns/turns.ts'
import { replayAnswer, type StoredTurnReader } from './follow.ts'
import { newMessageId } from '../ids.ts'
import type { TurnResult } from '../running-turn.ts'
import type { FollowedTurn } from '../started-turn.ts'

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

/** A finished turn for its readers; without an answer if a later retry has deleted that. */
export async function endedTurn(database: Database, turn: StoredTurn & Pick<TurnResult, 'status'>): Promise<FollowedTurn> {
  const { id, session: sessionId, status, code } = turn
  const state = answerStateOf({ status, code })
  const metadata = { sessionId, turnId: id, status, ...(code && { code }), state }
  const answer = (await findAnswer(database, turn)) ?? { id: newMessageId(), role: 'assistant', parts: [], metadata }
  const ended = Promise.resolve({ status, code, state: answer.metadata?.state ?? state, answer, usage: null })
  return { id, sessionId, ended, follow: (after, signal) => replayAnswer({ answer: async () => answer }, after, signal) }
}
