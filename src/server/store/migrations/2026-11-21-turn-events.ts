import type { Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'

/** The log of running turns, and the processes that run them. Runs unchanged on SQLite and PostgreSQL. */
export const turnEvents: Migration = {
  async up(database: Kysely<unknown>) {
    await database.schema
      .createTable('turn_events')
      .addColumn('turn_id', 'text', (column) => column.notNull().references('turns.id').onDelete('cascade'))
      .addColumn('first_seq', 'integer', (column) => column.notNull())
      .addColumn('last_seq', 'integer', (column) => column.notNull())
      .addColumn('chunks', 'text', (column) => column.notNull())
      .addPrimaryKeyConstraint('turn_events_in_order', ['turn_id', 'first_seq'])
      .execute()
    await database.schema
      .createTable('processes')
      .addColumn('id', 'text', (column) => column.primaryKey())
      .addColumn('beat', 'bigint', (column) => column.notNull())
      .execute()
  },
}
