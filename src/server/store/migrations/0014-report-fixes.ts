import type { Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'

/** What repairs a reported answer, as a record; runs unchanged on SQLite and PostgreSQL. `reports-schema.ts` documents the columns. */
export const reportFixes: Migration = {
  async up({ schema }: Kysely<unknown>) {
    // SQLite adds one column at a time.
    await schema.alterTable('reports').addColumn('fix_kind', 'text').execute()
    await schema.alterTable('reports').addColumn('fix_id', 'text').execute()
  },
}
