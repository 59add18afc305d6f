import type { Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'

/** Problems that processes have logged, and when sessions of staff were last used; runs unchanged on SQLite and PostgreSQL. */
export const loggedProblems: Migration = {
  async up({ schema }: Kysely<unknown>) {
    await schema
      .createTable('logged_problems')
      .addColumn('message', 'text', (column) => column.primaryKey())
      .addColumn('detail', 'text', (column) => column.notNull())
      .addColumn('level', 'text', (column) => column.notNull())
      .addColumn('count', 'bigint', (column) => column.notNull())
      .addColumn('first_at', 'bigint', (column) => column.notNull())
      .addColumn('last_at', 'bigint', (column) => column.notNull())
      .execute()
    await schema
      .alterTable('staff_sessions')
      .addColumn('used_at', 'bigint', (column) => column.notNull().defaultTo(0))
      .execute()
  },
}
