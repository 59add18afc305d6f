import type { Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'

/** What visitors think of answers: a thumb up or down, and why. It goes with its answer. */
export const writtenVotes: Migration = {
  async up(database: Kysely<unknown>) {
    await database.schema
      .createTable('feedback')
      .addColumn('session_id', 'text', (column) => column.notNull().references('sessions.id').onDelete('cascade'))
      .addColumn('position', 'integer', (column) => column.notNull())
      .addColumn('thumb', 'text', (column) => column.notNull())
      .addColumn('reason', 'text')
      .addColumn('given_at', 'bigint', (column) => column.notNull())
      .addPrimaryKeyConstraint('feedback_of_message', ['session_id', 'position'])
      .addForeignKeyConstraint('feedback_with_message', ['session_id', 'position'], 'messages', ['session_id', 'position'], (constraint) =>
        constraint.onDelete('cascade'),
      )
      .execute()
  },
}
