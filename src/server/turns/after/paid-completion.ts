import { type Completion, type CompleteInBackground, type CompletionRequest, estimateCompletion } from '../../answering/agents/agent.ts'
import { reserveBudgetsAlone, settleBudgetsAlone } from '../../store/turns/budgets.ts'
import type { Database } from '../../store/engine/database.ts'
import type { ModelBudget } from '../model-budget.ts'

export interface PayableCompletion {
  database: Database
  /** Those of the turn, whose accounts pay. */
  reservations: ModelBudget['reservations']
  write: CompleteInBackground
  request: CompletionRequest
}

/**
 * Runs a completion within what is left of a turn's accounts; `null` if they are used up. Reservations count as spent if the process dies,
 * so a crash releases no money.
 */
export async function payForCompletion({ database, reservations: ofTurn, write, request }: PayableCompletion): Promise<Completion | null> {
  const { inputTokens, outputTokens } = estimateCompletion(request)
  const reservations = ofTurn.map((reservation) => ({
    ...reservation,
    amount: Math.ceil(inputTokens * reservation.inputPrice + outputTokens * reservation.outputPrice),
  }))
  if (!(await reserveBudgetsAlone(database, reservations))) return null
  try {
    const completion = await write(request)
    await settleBudgetsAlone(database, reservations, completion.used)
    return completion
  } catch (error) {
    // The usage is unknown.
    await settleBudgetsAlone(database, reservations, null)
    throw error
  }
}
