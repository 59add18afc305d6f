import { type AnswerState, answerStateOf } from '../../../contract/chat/answer-state.ts'
import type { ChatMessage, Feedback } from '../../../contract/chat/message.ts'
import { type Access, lockStoredSession, unrestricted } from '../visitors/access.ts'
import { findMessagePosition } from '../sessions/branches.ts'
import type { Database } from '../engine/database.ts'

/** A change of feedback, and its answer. `turn` is `null` for an imported answer. */
export interface GivenFeedback {
  before: Feedback['thumb'] | null
  after: Feedback['thumb'] | null
  turn: RatedTurn | null
}

interface RatedTurn {
  agent: string
  /** Its name; `null` for a fixed reply. */
  model: string | null
  state: AnswerState
  prompt: ChatMessage['parts']
  parts: ChatMessage['parts']
}

/** Stores feedback in place of the earlier one; `null` removes it. Returns `null` without such an answer, or in a temporary chat. */
export async function giveFeedback(
  database: Database,
  { id, access }: { id: string; access: Access },
  messageId: string,
  feedback: Feedback | null,
): Promise<GivenFeedback | null> {
  return database.transaction().execute(async (transaction) => {
    // Locks the session, so the answer can't be deleted meanwhile.
    const session = await lockStoredSession(transaction, id, access)
    const answer = session && (await findMessagePosition(transaction, id, messageId))
    if (!session || answer?.role !== 'assistant') return null
    const { position } = answer
    const stored = transaction.selectFrom('feedback').select('thumb').where('session_id', '=', id).where('position', '=', position)
    const before = (await stored.executeTakeFirst())?.thumb ?? null
    await transaction.deleteFrom('feedback').where('session_id', '=', id).where('position', '=', position).execute()
    if (feedback) {
      const { thumb, reason = null } = feedback
      await transaction.insertInto('feedback').values({ session_id: id, position, thumb, reason, given_at: access.now }).execute()
    }
    return { before, after: feedback?.thumb ?? null, turn: await turnOf(transaction, { id, agent: session.agent }, position) }
  })
}

async function turnOf(database: Database, { id, agent }: { id: string; agent: string }, position: number): Promise<RatedTurn | null> {
  const row = await unrestricted(database)
    .selectFrom('messages')
    .innerJoin('turns', 'turns.id', 'messages.turn_id')
    .leftJoin('messages as prompts', (join) =>
      join.onRef('prompts.session_id', '=', 'messages.session_id').onRef('prompts.id', '=', 'turns.prompt_id'),
    )
    .select(['turns.model', 'turns.status', 'turns.code', 'turns.state', 'messages.parts'])
    .select('prompts.parts as prompt')
    .where('messages.session_id', '=', id)
    .where('messages.position', '=', position)
    .executeTakeFirst()
  if (!row || row.status === 'running') return null
  return {
    agent,
    model: row.model,
    state: row.state ?? answerStateOf({ status: row.status, code: row.code }),
    prompt: JSON.parse(row.prompt ?? '[]') as ChatMessage['parts'],
    parts: JSON.parse(row.parts) as ChatMessage['parts'],
  }
}
