import type { Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'

/** A visitor's first key, sealed, until it has been used: a repeated first request gets it again. */
export const sealedKeys: Migration = {
  async up(database: Kysely<unknown>) {
    await database.schema.alterTable('visitor_keys').addColumn('sealed_key', 'text').execute()
  },
}
