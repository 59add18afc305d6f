import type { Database } from './database.ts'
import { notifyOfCommit } from './durable-sqlite-driver.ts'

/** What a transaction has committed. `durable` resolves once it survives a power loss as well, and rejects if the disk refuses it. */
export interface Committed<Result> {
  result: Result
  durable: Promise<unknown>
}

/** Runs `change` in the transaction that `database` is, or in one of its own. */
export function inTransaction<Result>(database: Database, change: (transaction: Database) => Promise<Result>): Promise<Result> {
  return database.isTransaction ? change(database) : database.transaction().execute(change)
}

/** Runs `change` in a transaction of its own. Resolves when it is committed, while the disk may still be writing it. */
export function commit<Result>(database: Database, change: (transaction: Database) => Promise<Result>): Promise<Committed<Result>> {
  const { promise, resolve, reject } = Promise.withResolvers<Committed<Result>>()
  const durable = database.transaction().execute(async (transaction) => {
    const result = await change(transaction)
    await notifyOfCommit(transaction, () => resolve({ result, durable }))
    return result
  })
  durable.then((result) => resolve({ result, durable }), reject)
  return promise
}
