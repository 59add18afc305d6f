import type { Database } from './database.ts'

/** Runs `change` in the transaction that `database` is, or in one of its own. */
export function inTransaction<Result>(database: Database, change: (transaction: Database) => Promise<Result>): Promise<Result> {
  return database.isTransaction ? change(database) : database.transaction().execute(change)
}
