import type { Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'

/** An imported chat keeps the days on which it was written, and is kept as long as one of today. Runs unchanged on SQLite and PostgreSQL. */
export const yourOwnDays: Migration = {
  async up(database: Kysely<unknown>) {
    await database.schema
      .alterTable('sessions')
      .addColumn('imported_at', 'bigint', (column) => column.notNull().defaultTo(0))
      .execute()
  },
}
