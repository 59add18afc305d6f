import { type Complete, type Completion, type CompletionRequest, estimateCompletion } from '../answering/agents/agent.ts'
import { reserveBudgetsAlone, settleBudgetsAlone } from '../store/turns/budgets.ts'
import type { Database } from '../store/engine/database.ts'
import type { ModelBudget } from './model-budget.ts'

/** A completion within a turn's accounts; `null` if they are used up. After a crash, its reservation counts as spent. */
export async function paidCompletion(
  database: Database,
  ofTurn: ModelBudget['reservations'],
  complete: Complete,
  request: CompletionRequest,
): Promise<Completion | null> {
  const { inputTokens, outputTokens } = estimateCompletion(request)
  const reservations = ofTurn.map((reservation) => ({
    ...reservation,
    amount: Math.ceil(inputTokens * reservation.inputPrice + outputTokens * reservation.outputPrice),
  }))
  if (await reserveBudgetsAlone(database, reservations)) return null
  try {
    const completion = await complete(request)
    await settleBudgetsAlone(database, reservations, completion.used)
    return completion
  } catch (error) {
    // The usage is unknown.
    await settleBudgetsAlone(database, reservations, null)
    throw error
  }
}
