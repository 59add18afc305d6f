import type { Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'

/** Links by which visitors let others read a chat. Runs unchanged on SQLite and PostgreSQL. */
export const yourLinks: Migration = {
  async up(database: Kysely<unknown>) {
    await database.schema
      .createTable('shares')
      .addColumn('id', 'text', (column) => column.primaryKey())
      .addColumn('session_id', 'text', (column) => column.notNull().references('sessions.id').onDelete('cascade'))
      .addColumn('title', 'text', (column) => column.notNull())
      .addColumn('messages', 'text', (column) => column.notNull())
      .addColumn('created_at', 'bigint', (column) => column.notNull())
      .addColumn('expires_at', 'bigint', (column) => column.notNull())
      .execute()
    await database.schema.createIndex('shares_of_session').on('shares').column('session_id').execute()
    await database.schema.createIndex('shares_by_end').on('shares').column('expires_at').execute()
  },
}
