import { type Kysely, PostgresAdapter, sql } from 'kysely'
import type { Migration } from 'kysely/migration'

/** Tables whose rows are short, found by their primary key, and referred to by no other table. */
const FOUND_BY_KEY = ['turn_events', 'quota_counts']

/**
 * Fewer pages to write for each prompt. On SQLite, tables that are found by their key are kept in its order, where they had an index
 * beside them (https://sqlite.org/withoutrowid.html). On both databases, the index of described sessions holds no others.
 */
export const fewerPages: Migration = {
  async up(database: Kysely<unknown>) {
    await database.schema.dropIndex('sessions_by_description').execute()
    await database.schema
      .createIndex('sessions_by_description')
      .on('sessions')
      .column('described_at')
      .where(sql.ref('described_at'), '>', sql.lit(0))
      .execute()
    if (database.getExecutor().adapter instanceof PostgresAdapter) return
    for (const table of FOUND_BY_KEY) await keepInOrderOfKey(database, table)
  },
}

/** Makes a table of SQLite anew, with all that it holds and its indexes. */
async function keepInOrderOfKey(database: Kysely<unknown>, table: string): Promise<void> {
  const anew = `${table}_anew`
  const { rows } = await sql<{ type: string; sql: string }>`
    select type, sql from sqlite_master where tbl_name = ${table} and sql is not null order by type desc`.execute(database)
  const [made, ...indexes] = rows
  if (made?.type !== 'table') throw new Error(`There is no table ${table}.`)
  await sql.raw(`${made.sql.replace(`"${table}"`, `"${anew}"`)} without rowid`).execute(database)
  await sql`insert into ${sql.table(anew)} select * from ${sql.table(table)}`.execute(database)
  await database.schema.dropTable(table).execute()
  await database.schema.alterTable(anew).renameTo(table).execute()
  for (const index of indexes) await sql.raw(index.sql).execute(database)
}
