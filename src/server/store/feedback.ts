import type { Feedback } from '../../contract/message.ts'
import { type Access, lockStoredSession } from './access.ts'
import { findMessagePosition } from './branches.ts'
import type { Database } from './database.ts'

/**
 * Stores what the visitor thinks of an answer, instead of what they thought before; null takes it back.
 * False when there is no such answer, and in temporary chats, of which nothing is kept.
 */
export async function giveFeedback(
  database: Database,
  { id, access }: { id: string; access: Access },
  messageId: string,
  feedback: Feedback | null,
): Promise<boolean> {
  return database.transaction().execute(async (transaction) => {
    // Holds the session, so that the answer stays until this is stored.
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
