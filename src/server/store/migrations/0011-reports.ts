import type { Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'

/** What visitors hand over, and what staff make of it; runs unchanged on SQLite and PostgreSQL. `reports-schema.ts` documents the columns. */
export const reports: Migration = {
  async up({ schema }: Kysely<unknown>) {
    await schema
      .createTable('reports')
      .addColumn('id', 'text', (column) => column.primaryKey())
      .addColumn('session_id', 'text', (column) => column.notNull().references('sessions.id').onDelete('cascade'))
      .addColumn('position', 'integer', (column) => column.notNull())
      .addColumn('scope', 'text', (column) => column.notNull())
      .addColumn('messages', 'text', (column) => column.notNull())
      .addColumn('reason', 'text')
      .addColumn('thumb', 'text')
      .addColumn('created_at', 'bigint', (column) => column.notNull())
      .addColumn('expires_at', 'bigint', (column) => column.notNull())
      .addColumn('verdict', 'text')
      .addColumn('fix', 'text')
      .addColumn('revision', 'integer', (column) => column.notNull().defaultTo(0))
      .addUniqueConstraint('report_of_answer', ['session_id', 'position'])
      .execute()
    await schema.createIndex('reports_by_end').on('reports').column('expires_at').execute()
    await schema
      .createTable('readings')
      .addColumn('id', 'text', (column) => column.primaryKey())
      .addColumn('session_id', 'text', (column) => column.notNull().references('sessions.id').onDelete('cascade'))
      .addColumn('report_id', 'text', (column) => column.notNull())
      .addColumn('role', 'text', (column) => column.notNull())
      .addColumn('read_at', 'bigint', (column) => column.notNull())
      .execute()
    await schema.createIndex('readings_of_session').on('readings').column('session_id').execute()
    await schema
      .createTable('corrections')
      .addColumn('id', 'text', (column) => column.primaryKey())
      .addColumn('session_id', 'text', (column) => column.references('sessions.id').onDelete('cascade'))
      .addColumn('position', 'integer')
      .addColumn('source', 'text')
      .addColumn('version', 'text')
      .addColumn('text', 'text', (column) => column.notNull())
      .addColumn('created_at', 'bigint', (column) => column.notNull())
      .execute()
    await schema.createIndex('corrections_of_session').on('corrections').column('session_id').execute()
    await schema.createIndex('corrections_of_source').on('corrections').columns(['source', 'version']).execute()
  },
}
