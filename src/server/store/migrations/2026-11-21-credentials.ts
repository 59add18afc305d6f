import { type Kysely, sql } from 'kysely'
import type { Migration } from 'kysely/migration'

/**
 * Several keys for one visitor, each of which can be revoked. `visitors.key_hash` goes: a process of an older release that
 * still made visitors with it would lose them, so it is to fail instead. Nothing refers to `visitors` when this runs,
 * and SQLite can't drop a unique column, so the table is made anew.
 */
export const credentials: Migration = {
  async up(database: Kysely<unknown>) {
    await database.schema.alterTable('visitors').renameTo('visitors_with_key').execute()
    await database.schema
      .createTable('visitors')
      .addColumn('id', 'text', (column) => column.primaryKey())
      .addColumn('created_at', 'bigint', (column) => column.notNull())
      .execute()
    await database.schema
      .createTable('visitor_keys')
      .addColumn('key_hash', 'text', (column) => column.primaryKey())
      .addColumn('visitor_id', 'text', (column) => column.notNull().references('visitors.id').onDelete('cascade'))
      .addColumn('created_at', 'bigint', (column) => column.notNull())
      .addColumn('expires_at', 'bigint')
      .execute()
    await database.schema.createIndex('visitor_keys_of_visitor').on('visitor_keys').column('visitor_id').execute()
    await sql`insert into visitors (id, created_at) select id, created_at from visitors_with_key`.execute(database)
    await sql`insert into visitor_keys (key_hash, visitor_id, created_at) select key_hash, id, created_at from visitors_with_key`.execute(
      database,
    )
    await database.schema.dropTable('visitors_with_key').execute()
  },
}
