import type { Database } from './database.ts'
import { inTransaction } from './in-transaction.ts'
import { increaseVersion } from './installation-facts.ts'

/** Records a change in its transaction. */
export type RecordChange = (transaction: Database) => Promise<void>

/** Undoes the transaction of a rejected change. */
class Rollback<Outcome> extends Error {
  readonly outcome: Outcome

  constructor(outcome: Outcome) {
    super('A change of the uploaded documents was rejected')
    this.outcome = outcome
  }
}

/** Changes uploaded documents in a transaction, and the version with it. Any outcome but `stored` or `changed` undoes all of it. */
export async function changeUploads<Outcome extends string>(
  database: Database,
  change: (transaction: Database) => Promise<Outcome>,
): Promise<Outcome> {
  try {
    return await inTransaction(database, async (transaction) => {
      const outcome = await change(transaction)
      if (outcome !== 'stored' && outcome !== 'changed') throw new Rollback(outcome)
      await increaseVersion(transaction, 'uploads_version')
      return outcome
    })
  } catch (error) {
    if (error instanceof Rollback) return error.outcome as Outcome
    throw error
  }
}
