import type { Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'

/** Summaries of what was said in long chats. */
export const summaries: Migration = {
  async up(database: Kysely<unknown>) {
    await database.schema
      .createTable('summaries')
      .addColumn('session_id', 'text', (column) => column.notNull().references('sessions.id').onDelete('cascade'))
      .addColumn('message_id', 'text', (column) => column.notNull())
      .addColumn('text', 'text', (column) => column.notNull())
      .addColumn('created_at', 'bigint', (column) => column.notNull())
      .addPrimaryKeyConstraint('summaries_by_last_message', ['session_id', 'message_id'])
      .execute()
  },
}
