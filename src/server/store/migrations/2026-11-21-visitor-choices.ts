import type { Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'

/** What a visitor says of a session: that it is to stay at the top, and what it is called. Runs unchanged on SQLite and PostgreSQL. */
export const visitorChoices: Migration = {
  async up(database: Kysely<unknown>) {
    await database.schema
      .alterTable('sessions')
      .addColumn('pinned', 'integer', (column) => column.notNull().defaultTo(0))
      .execute()
    await database.schema
      .alterTable('sessions')
      .addColumn('titled_by', 'text', (column) => column.notNull().defaultTo('prompt'))
      .execute()
    await database.schema
      .alterTable('sessions')
      .addColumn('described_at', 'bigint', (column) => column.notNull().defaultTo(0))
      .execute()
    await database.schema
      .createIndex('sessions_of_owner_in_order')
      .on('sessions')
      .columns(['owner', 'pinned', 'updated_at', 'id', 'described_at'])
      .execute()
    await database.schema.createIndex('sessions_by_description').on('sessions').column('described_at').execute()
  },
}
