import { type Kysely, sql } from 'kysely'
import type { Migration } from 'kysely/migration'

/** Documents that staff upload; runs unchanged on SQLite and PostgreSQL. `uploads-schema.ts` documents the columns. */
export const uploads: Migration = {
  async up({ schema }: Kysely<unknown>) {
    await schema
      .createTable('uploads')
      .addColumn('id', 'text', (column) => column.primaryKey())
      .addColumn('name', 'text', (column) => column.notNull().unique())
      .addColumn('title', 'text')
      .addColumn('owner', 'text', (column) => column.notNull())
      .addColumn('language', 'text')
      .addColumn('valid_until', 'text')
      .addColumn('revision', 'integer', (column) => column.notNull())
      .addColumn('version', 'integer', (column) => column.notNull())
      .addColumn('created_at', 'bigint', (column) => column.notNull())
      .addColumn('changed_at', 'bigint', (column) => column.notNull())
      .execute()
    await schema
      .createTable('upload_versions')
      .addColumn('upload_id', 'text', (column) => column.notNull().references('uploads.id').onDelete('cascade'))
      .addColumn('number', 'integer', (column) => column.notNull())
      .addColumn('name', 'text', (column) => column.notNull())
      .addColumn('hash', 'text', (column) => column.notNull())
      .addColumn('size', 'integer', (column) => column.notNull())
      .addColumn('characters', 'integer', (column) => column.notNull())
      .addColumn('as_of', 'text', (column) => column.notNull())
      .addColumn('created_at', 'bigint', (column) => column.notNull())
      .addColumn('document', 'text', (column) => column.notNull())
      // SQLite stores bytes unchanged, whatever the column's type.
      .addColumn('content', sql`bytea`, (column) => column.notNull())
      .addPrimaryKeyConstraint('upload_versions_by_number', ['upload_id', 'number'])
      .execute()
  },
}
