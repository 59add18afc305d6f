import type { Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'

/** What staff decide about single pages of a website; runs unchanged on SQLite and PostgreSQL. `sources-schema.ts` documents the columns. */
export const heldPages: Migration = {
  async up({ schema }: Kysely<unknown>) {
    // SQLite adds one column at a time.
    for (const column of ['held_as_of', 'held_kind', 'rejected_hash'])
      await schema.alterTable('source_pages').addColumn(column, 'text').execute()
  },
}
