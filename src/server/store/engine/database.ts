import { type Kysely, type SelectQueryBuilder, sql, SqliteAdapter } from 'kysely'
import type { GuardedSchema } from './schema/schema.ts'

/** Lacks sessions on purpose: `access.ts` adds them with the access condition. */
export type Database = Kysely<GuardedSchema>

/** Whether it is SQLite, which has one writer at a time. */
export function isEmbedded(database: Database): boolean {
  return database.getExecutor().adapter instanceof SqliteAdapter
}

/** PostgreSQL's own time, in milliseconds since the epoch. */
export async function databaseTime(database: Database): Promise<number> {
  const { rows } = await sql<{ time: string }>`select extract(epoch from clock_timestamp()) * 1000 as time`.execute(database)
  return Number(rows[0]?.time)
}

/** The number of rows that a query without columns finds. */
export async function countOf<Tables, From extends keyof Tables>(query: SelectQueryBuilder<Tables, From, object>): Promise<number> {
  const row = await query.select(({ fn }) => fn.countAll<number>().as('count')).executeTakeFirstOrThrow()
  return (row as { count: number }).count
}

interface Change {
  executeTakeFirst: () => Promise<
    { numUpdatedRows?: bigint; numDeletedRows?: bigint; numInsertedOrUpdatedRows?: bigint | undefined } | undefined
  >
}

/** Whether an insertion, an update or a deletion changes any rows. */
export async function changesRows(change: Change): Promise<boolean> {
  const { numUpdatedRows, numDeletedRows, numInsertedOrUpdatedRows } = (await change.executeTakeFirst()) ?? {}
  return (numUpdatedRows ?? numDeletedRows ?? numInsertedOrUpdatedRows ?? 0n) > 0n
}

/** Runs `change` in the transaction that `database` is, or in one of its own. */
export function inTransaction<Result>(database: Database, change: (transaction: Database) => Promise<Result>): Promise<Result> {
  return database.isTransaction ? change(database) : database.transaction().execute(change)
}
