import type { Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'

/** Approved answers that staff manage; runs unchanged on SQLite and PostgreSQL. `managed-texts-schema.ts` documents the columns. */
export const approvedAnswers: Migration = {
  async up({ schema }: Kysely<unknown>) {
    await schema
      .createTable('approved_answers')
      .addColumn('id', 'text', (column) => column.primaryKey())
      .addColumn('draft', 'text', (column) => column.notNull())
      .addColumn('draft_revision', 'integer', (column) => column.notNull())
      .addColumn('draft_by', 'text', (column) => column.notNull())
      .addColumn('draft_at', 'bigint', (column) => column.notNull())
      .addColumn('published', 'integer')
      .addColumn('created_at', 'bigint', (column) => column.notNull())
      .execute()
    await schema
      .createTable('approved_publications')
      .addColumn('answer_id', 'text', (column) => column.notNull().references('approved_answers.id').onDelete('cascade'))
      .addColumn('number', 'integer', (column) => column.notNull())
      .addColumn('hash', 'text', (column) => column.notNull())
      .addColumn('content', 'text', (column) => column.notNull())
      .addColumn('restores', 'integer')
      .addColumn('published_by', 'text', (column) => column.notNull())
      .addColumn('published_at', 'bigint', (column) => column.notNull())
      .addPrimaryKeyConstraint('approved_publications_key', ['answer_id', 'number'])
      .execute()
  },
}
