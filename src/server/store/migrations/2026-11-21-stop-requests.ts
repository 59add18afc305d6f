import type { Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'

/** A turn can be stopped from a process that does not run it. */
export const stopRequests: Migration = {
  async up(database: Kysely<unknown>) {
    await database.schema
      .alterTable('turns')
      .addColumn('stop_requested', 'integer', (column) => column.notNull().defaultTo(0))
      .execute()
  },
}
