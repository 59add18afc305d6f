import type { Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'

/** Passkeys of staff; runs unchanged on SQLite and PostgreSQL. `staff-schema.ts` documents the columns. */
export const staffPasskeys: Migration = {
  async up({ schema }: Kysely<unknown>) {
    await schema
      .createTable('staff_passkeys')
      .addColumn('id', 'text', (column) => column.primaryKey())
      .addColumn('staff_id', 'text', (column) => column.notNull().references('staff.id').onDelete('cascade'))
      .addColumn('name', 'text', (column) => column.notNull())
      .addColumn('public_key', 'text', (column) => column.notNull())
      .addColumn('counter', 'bigint', (column) => column.notNull())
      .addColumn('transports', 'text', (column) => column.notNull())
      .addColumn('created_at', 'bigint', (column) => column.notNull())
      .addColumn('used_at', 'bigint')
      .execute()
    await schema.createIndex('staff_passkeys_of_staff').on('staff_passkeys').column('staff_id').execute()
  },
}
