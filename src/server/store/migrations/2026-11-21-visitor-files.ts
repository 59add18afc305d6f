import { type Kysely, sql } from 'kysely'
import type { Migration } from 'kysely/migration'

/** Files that visitors send: waiting for the prompt that takes them, and in the chat that has it. */
export const files: Migration = {
  async up(database: Kysely<unknown>) {
    await withColumns(database.schema.createTable('waiting_files'))
      .addColumn('owner', 'text', (column) => column.notNull())
      .execute()
    await database.schema.createIndex('waiting_files_by_owner').on('waiting_files').columns(['owner', 'created_at']).execute()
    await database.schema.createIndex('waiting_files_by_age').on('waiting_files').column('created_at').execute()
    await withColumns(database.schema.createTable('files'))
      .addColumn('session_id', 'text', (column) => column.notNull().references('sessions.id').onDelete('cascade'))
      .execute()
    await database.schema.createIndex('files_by_session').on('files').column('session_id').execute()
  },
}

function withColumns(table: ReturnType<Kysely<unknown>['schema']['createTable']>) {
  return (
    table
      .addColumn('id', 'text', (column) => column.primaryKey())
      .addColumn('name', 'text', (column) => column.notNull())
      .addColumn('media_type', 'text', (column) => column.notNull())
      .addColumn('size', 'bigint', (column) => column.notNull())
      .addColumn('created_at', 'bigint', (column) => column.notNull())
      .addColumn('text', 'text')
      // SQLite stores bytes as they are, whatever the type of the column is called.
      .addColumn('content', sql`bytea`, (column) => column.notNull())
  )
}
