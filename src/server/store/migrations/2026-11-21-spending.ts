import type { Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'

/** What has been spent of each budget and what is set aside, and what each running turn has set aside. */
export const spending: Migration = {
  async up(database: Kysely<unknown>) {
    await database.schema
      .createTable('budgets')
      .addColumn('account', 'text', (column) => column.primaryKey())
      .addColumn('spent', 'bigint', (column) => column.notNull())
      .addColumn('held', 'bigint', (column) => column.notNull())
      .addColumn('ends_at', 'bigint', (column) => column.notNull())
      .execute()
    await database.schema.createIndex('budgets_by_end').on('budgets').column('ends_at').execute()
    await database.schema.alterTable('turns').addColumn('holds', 'text').execute()
  },
}
