import type { Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'

/** Websites as knowledge; runs unchanged on SQLite and PostgreSQL. `schema.ts` documents the columns. */
export const sources: Migration = {
  async up({ schema }: Kysely<unknown>) {
    await schema
      .createTable('sources')
      .addColumn('id', 'text', (column) => column.primaryKey())
      .addColumn('active', 'integer')
      .addColumn('pinned', 'integer', (column) => column.notNull().defaultTo(0))
      .addColumn('holder', 'text')
      .addColumn('lease_until', 'bigint', (column) => column.notNull().defaultTo(0))
      .addColumn('started_at', 'bigint')
      .addColumn('ended_at', 'bigint')
      .addColumn('report', 'text')
      .execute()
    await schema
      .createTable('source_snapshots')
      .addColumn('source_id', 'text', (column) => column.notNull().references('sources.id').onDelete('cascade'))
      .addColumn('number', 'integer', (column) => column.notNull())
      .addColumn('state', 'text', (column) => column.notNull())
      .addColumn('definition_hash', 'text', (column) => column.notNull())
      .addColumn('hash', 'text')
      .addColumn('pages', 'integer', (column) => column.notNull().defaultTo(0))
      .addColumn('created_at', 'bigint', (column) => column.notNull())
      .addPrimaryKeyConstraint('source_snapshots_in_order', ['source_id', 'number'])
      .execute()
    await schema
      .createTable('source_pages')
      .addColumn('source_id', 'text', (column) => column.notNull())
      .addColumn('snapshot', 'integer', (column) => column.notNull())
      .addColumn('address', 'text', (column) => column.notNull())
      .addColumn('state', 'text', (column) => column.notNull())
      .addColumn('depth', 'integer', (column) => column.notNull())
      .addColumn('text_hash', 'text')
      .addColumn('held_hash', 'text')
      .addColumn('characters', 'integer', (column) => column.notNull().defaultTo(0))
      .addColumn('as_of', 'text')
      .addColumn('etag', 'text')
      .addColumn('last_modified', 'text')
      .addColumn('reason', 'text')
      .addPrimaryKeyConstraint('source_pages_of_snapshot', ['source_id', 'snapshot', 'address'])
      .addForeignKeyConstraint(
        'source_page_of_snapshot',
        ['source_id', 'snapshot'],
        'source_snapshots',
        ['source_id', 'number'],
        (constraint) => constraint.onDelete('cascade'),
      )
      .execute()
    await schema
      .createTable('source_texts')
      .addColumn('source_id', 'text', (column) => column.notNull().references('sources.id').onDelete('cascade'))
      .addColumn('hash', 'text', (column) => column.notNull())
      .addColumn('document', 'text', (column) => column.notNull())
      .addPrimaryKeyConstraint('source_texts_by_hash', ['source_id', 'hash'])
      .execute()
  },
}
