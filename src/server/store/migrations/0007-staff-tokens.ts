import type { Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'

/** Tokens for scripts, and people who sign in with a provider; runs unchanged on SQLite and PostgreSQL. `staff-schema.ts` documents the columns. */
export const staffTokens: Migration = {
  async up({ schema }: Kysely<unknown>) {
    await schema
      .alterTable('staff')
      .addColumn('from_provider', 'integer', (column) => column.notNull().defaultTo(0))
      .execute()
    await schema
      .createTable('staff_tokens')
      .addColumn('id', 'text', (column) => column.primaryKey())
      .addColumn('hash', 'text', (column) => column.notNull().unique())
      .addColumn('name', 'text', (column) => column.notNull())
      .addColumn('scopes', 'text', (column) => column.notNull())
      .addColumn('created_at', 'bigint', (column) => column.notNull())
      .addColumn('expires_at', 'bigint', (column) => column.notNull())
      .execute()
  },
}
