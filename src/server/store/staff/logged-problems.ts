import { sql } from 'kysely'
import type { Database } from '../engine/database.ts'

export interface LoggedProblem {
  message: string
  /** Type or code of the error; empty if there is none. */
  detail: string
  level: 'warning' | 'error'
  count: number
  firstAt: number
  lastAt: number
}

/** Adds problems, also to the counts of other processes, and keeps the newest `kept`. */
export async function addLoggedProblems(database: Database, problems: readonly LoggedProblem[], kept: number): Promise<void> {
  // In one order, so that processes that write the same rows don't deadlock.
  const rows = problems.toSorted((one, other) => (one.message < other.message ? -1 : 1))
  await database
    .insertInto('logged_problems')
    .values(rows.map(({ firstAt, lastAt, ...row }) => ({ ...row, first_at: firstAt, last_at: lastAt })))
    .onConflict((conflict) =>
      conflict.column('message').doUpdateSet({
        count: sql<number>`logged_problems.count + excluded.count`,
        last_at: sql<number>`excluded.last_at`,
        detail: sql<string>`excluded.detail`,
        level: sql<LoggedProblem['level']>`excluded.level`,
      }),
    )
    .execute()
  const newest = database.selectFrom('logged_problems').select('message').orderBy('last_at', 'desc').orderBy('message').limit(kept)
  await database.deleteFrom('logged_problems').where('message', 'not in', newest).execute()
}

export async function listLoggedProblems(database: Database, since: number, limit: number): Promise<LoggedProblem[]> {
  const rows = await database
    .selectFrom('logged_problems')
    .selectAll()
    .where('last_at', '>=', since)
    .orderBy('last_at', 'desc')
    .orderBy('message')
    .limit(limit)
    .execute()
  return rows.map(({ first_at: firstAt, last_at: lastAt, ...row }) => ({ ...row, firstAt, lastAt }))
}

/** Deletes problems that didn't come back since a time. */
export async function deleteLoggedProblemsBefore(database: Database, time: number): Promise<void> {
  await database.deleteFrom('logged_problems').where('last_at', '<', time).execute()
}
