import type { Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'

/** Limits that staff have changed, how processes are, and what passkeys have signed; runs unchanged on SQLite and PostgreSQL. `runtime-schema.ts` documents the columns. */
export const runtimeLimits: Migration = {
  async up({ schema }: Kysely<unknown>) {
    await schema
      .createTable('adjusted_limits')
      .addColumn('name', 'text', (column) => column.primaryKey())
      .addColumn('value', 'double precision', (column) => column.notNull())
      .addColumn('changed_at', 'bigint', (column) => column.notNull())
      .addColumn('changed_by', 'text', (column) => column.notNull())
      .execute()
    await schema
      .createTable('used_challenges')
      .addColumn('random', 'text', (column) => column.primaryKey())
      .addColumn('expires_at', 'bigint', (column) => column.notNull())
      .execute()
    await schema
      .createTable('process_reports')
      .addColumn('instance', 'text', (column) => column.primaryKey())
      .addColumn('report', 'text', (column) => column.notNull())
      .addColumn('reported_at', 'bigint', (column) => column.notNull())
      .execute()
  },
}
