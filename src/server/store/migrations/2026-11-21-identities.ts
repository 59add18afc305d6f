import type { Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'

/** Who signed in with a provider. The visitor is the anonymous kind otherwise; when the visitor goes, so does the identity. */
export const identities: Migration = {
  async up(database: Kysely<unknown>) {
    await database.schema
      .createTable('identities')
      .addColumn('hash', 'text', (column) => column.primaryKey())
      .addColumn('visitor_id', 'text', (column) => column.notNull().unique().references('visitors.id').onDelete('cascade'))
      .addColumn('name', 'text')
      .addColumn('created_at', 'bigint', (column) => column.notNull())
      .execute()
  },
}
