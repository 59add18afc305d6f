import type { Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'

/** Requests that networks were refused, and networks that staff have blocked; runs unchanged on SQLite and PostgreSQL. `runtime-schema.ts` documents the columns. */
export const blockedNetworks: Migration = {
  async up({ schema }: Kysely<unknown>) {
    await schema
      .createTable('network_refusals')
      .addColumn('day', 'integer', (column) => column.notNull())
      .addColumn('network', 'text', (column) => column.notNull())
      .addColumn('code', 'text', (column) => column.notNull())
      .addColumn('count', 'bigint', (column) => column.notNull())
      .addPrimaryKeyConstraint('network_refusals_key', ['day', 'network', 'code'])
      .execute()
    await schema
      .createTable('network_blocks')
      .addColumn('network', 'text', (column) => column.primaryKey())
      .addColumn('salt', 'text', (column) => column.notNull())
      .addColumn('reason', 'text', (column) => column.notNull())
      .addColumn('blocked_at', 'bigint', (column) => column.notNull())
      .addColumn('blocked_by', 'text', (column) => column.notNull())
      .addColumn('ends_at', 'bigint', (column) => column.notNull())
      .execute()
  },
}
