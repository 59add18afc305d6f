import type { ChatMessage } from '../../../contract/chat/message.ts'
import type { Rejection } from '../../../contract/rejection.ts'
import type { Access } from '../visitors/access.ts'
import type { Database } from '../engine/database.ts'
import { type RepeatedClaim } from './idempotency.ts'
import { type Accepted, commitTurn, RejectedTransaction } from './commit-turn.ts'
import { insertAnotherAnswer, lastTurn, type NewTurn } from './turns.ts'

/**
 * Starts a turn that continues the answer of turn `turnId` after its approval requests were decided. `decide` returns the decisions and
 * the updated answer; null rejects. Only for the last turn of its session, so each request is used once.
 */
export async function insertDecision<Calls>(
  database: Database,
  access: Access,
  turnId: string,
  turn: NewTurn,
  decide: (answer: ChatMessage) => { calls: Calls; answer: ChatMessage } | null,
): Promise<(Accepted & { calls: Calls }) | RepeatedClaim | Rejection> {
  return commitTurn(database, turn, async (transaction) => {
    const last = await lastTurn(transaction, access, turnId, turn.now)
    const asking = last.isLast && last.status === 'done' ? last.answers.at(-1) : undefined
    const decided = asking && decide(asking.message)
    if (!decided) throw new RejectedTransaction('approval_gone')
    await transaction
      .updateTable('messages')
      .set({ parts: JSON.stringify(decided.answer.parts) })
      .where('session_id', '=', last.session.id)
      .where('position', '=', asking.position)
      .execute()
    return { ...(await insertAnotherAnswer(transaction, last, turn)), calls: decided.calls }
  })
}
