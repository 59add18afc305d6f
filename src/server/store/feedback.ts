import type { Feedback } from '../../contract/message.ts'
import { type Access, lockStoredSession } from './access.ts'
import { findMessagePosition } from './branches.ts'
import type { Database } from './database.ts'

/**
 * Stores the visitor's feedback on an answer, replacing earlier feedback; null removes it.
 * Returns false if there is no such answer or the chat is temporary.
 */
export async function giveFeedback(
  database: Database,
  { id, access }: { id: string; access: Access },
  messageId: string,
  feedback: Feedback | null,
): Promise<boolean> {
  return database.transaction().execute(async (transaction) => {
    // Locks the session, so the answer can't be deleted meanwhile.
    const session = await lockStoredSession(transaction, id, access)
    const answer = session && (await findMessagePosition(transaction, id, messageId))
    if (answer?.role !== 'assistant') return false
    await transaction.deleteFrom('feedback').where('session_id', '=', id).where('position', '=', answer.position).execute()
    if (feedback) {
      const { thumb, reason = null } = feedback
      await transaction
        .insertInto('feedback')
        .values({ session_id: id, position: answer.position, thumb, reason, given_at: access.now })
        .execute()
    }
    return true
  })
}
