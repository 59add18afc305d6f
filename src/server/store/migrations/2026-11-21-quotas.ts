import type { Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'

/** What has been used of each quota, and the salts under which addresses are known. */
export const quotas: Migration = {
  async up(database: Kysely<unknown>) {
    await database.schema
      .createTable('quota_counts')
      .addColumn('key', 'text', (column) => column.primaryKey())
      .addColumn('count', 'integer', (column) => column.notNull())
      .addColumn('ends_at', 'bigint', (column) => column.notNull())
      .execute()
    await database.schema.createIndex('quota_counts_by_end').on('quota_counts').column('ends_at').execute()
    await database.schema
      .createTable('address_salts')
      .addColumn('day', 'integer', (column) => column.primaryKey())
      .addColumn('salt', 'text', (column) => column.notNull())
      .execute()
  },
}
