import type { Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'

/** An owner's sessions are found by `sessions_of_owner_in_order`, which begins as this index did: one page less for each prompt. Runs unchanged on SQLite and PostgreSQL. */
export const yourOwnOrder: Migration = {
  async up(database: Kysely<unknown>) {
    await database.schema.dropIndex('sessions_of_owner').execute()
  },
}
