import type { Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'

/** What staff and operators did; runs unchanged on SQLite and PostgreSQL. `schema.ts` documents the columns. */
export const auditLog: Migration = {
  async up({ schema }: Kysely<unknown>) {
    await schema
      .createTable('audit_log')
      .addColumn('number', 'integer', (column) => column.primaryKey())
      .addColumn('at', 'bigint', (column) => column.notNull())
      .addColumn('actor', 'text', (column) => column.notNull())
      .addColumn('action', 'text', (column) => column.notNull())
      .addColumn('target', 'text')
      .addColumn('hash', 'text', (column) => column.notNull())
      .execute()
  },
}
