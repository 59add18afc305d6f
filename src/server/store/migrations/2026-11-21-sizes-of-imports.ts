import type { Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'

/** How much each import has brought in, so that there can be an end to it. */
export const sizesOfImports: Migration = {
  async up(database: Kysely<unknown>) {
    await database.schema
      .alterTable('imports')
      .addColumn('characters', 'integer', (column) => column.notNull().defaultTo(0))
      .execute()
  },
}
