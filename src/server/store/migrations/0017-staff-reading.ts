import type { Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'

/** Which visitors let staff read what they send; runs unchanged on SQLite and PostgreSQL. `reading-schema.ts` documents the columns. */
export const staffReading: Migration = {
  async up({ schema }: Kysely<unknown>) {
    await schema.alterTable('visitors').addColumn('notices_withdrawn_at', 'bigint').execute()
    await schema
      .createTable('accepted_notices')
      .addColumn('id', 'text', (column) => column.primaryKey())
      .addColumn('visitor_id', 'text', (column) => column.notNull().references('visitors.id').onDelete('cascade'))
      .addColumn('version', 'text', (column) => column.notNull())
      .addColumn('accepted_at', 'bigint', (column) => column.notNull())
      .execute()
    await schema.createIndex('accepted_notices_of_visitor').on('accepted_notices').column('visitor_id').execute()
    await schema
      .createTable('readable_prompts')
      .addColumn('id', 'text', (column) => column.primaryKey())
      .addColumn('session_id', 'text', (column) => column.notNull().references('sessions.id').onDelete('cascade'))
      .addColumn('position', 'integer', (column) => column.notNull())
      .addColumn('acceptance_id', 'text', (column) => column.notNull().references('accepted_notices.id').onDelete('cascade'))
      .addColumn('sent_at', 'bigint', (column) => column.notNull())
      .addUniqueConstraint('readable_prompt', ['session_id', 'position'])
      .execute()
    await schema.createIndex('readable_prompts_by_time').on('readable_prompts').columns(['sent_at', 'id']).execute()
    await schema.createIndex('readable_prompts_of_acceptance').on('readable_prompts').column('acceptance_id').execute()
  },
}
