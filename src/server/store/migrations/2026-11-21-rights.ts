import { type Kysely, sql } from 'kysely'
import type { Migration } from 'kysely/migration'

/** Temporary chats, what was imported, and the codes that take a visitor to another device. */
export const rights: Migration = {
  async up(database: Kysely<unknown>) {
    await database.schema
      .alterTable('sessions')
      .addColumn('temporary', 'integer', (column) => column.notNull().defaultTo(0))
      .execute()
    await database.schema
      .createIndex('temporary_sessions')
      .on('sessions')
      .column('updated_at')
      .where(sql.ref('temporary'), '=', sql.lit(1))
      .execute()
    await database.schema
      .createIndex('visitor_keys_that_expire')
      .on('visitor_keys')
      .column('expires_at')
      .where(sql.ref('expires_at'), 'is not', sql.lit(null))
      .execute()
    await database.schema
      .createTable('imports')
      .addColumn('session_id', 'text', (column) => column.primaryKey().references('sessions.id').onDelete('cascade'))
      .addColumn('owner', 'text', (column) => column.notNull())
      .addColumn('content_hash', 'text', (column) => column.notNull())
      .addUniqueConstraint('imported_once', ['owner', 'content_hash'])
      .execute()
    await database.schema
      .createTable('transfers')
      .addColumn('code_hash', 'text', (column) => column.primaryKey())
      // A new code replaces the one before it.
      .addColumn('visitor_id', 'text', (column) => column.notNull().unique().references('visitors.id').onDelete('cascade'))
      .addColumn('expires_at', 'bigint', (column) => column.notNull())
      .execute()
    await database.schema
      .createTable('transfer_tries')
      .addColumn('id', 'text', (column) => column.primaryKey())
      .addColumn('network', 'text', (column) => column.notNull())
      .addColumn('tried_at', 'bigint', (column) => column.notNull())
      .execute()
    await database.schema.createIndex('transfer_tries_by_time').on('transfer_tries').columns(['tried_at', 'network']).execute()
  },
}
