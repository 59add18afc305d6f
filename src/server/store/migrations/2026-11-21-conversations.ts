import { type Kysely, sql } from 'kysely'
import type { Migration } from 'kysely/migration'

/** Visitors, sessions, messages and turns. Runs unchanged on SQLite and PostgreSQL. */
export const conversations: Migration = {
  async up(database: Kysely<unknown>) {
    await database.schema
      .createTable('visitors')
      .addColumn('id', 'text', (column) => column.primaryKey())
      .addColumn('key_hash', 'text', (column) => column.notNull().unique())
      .addColumn('created_at', 'bigint', (column) => column.notNull())
      .execute()
    await database.schema
      .createTable('sessions')
      .addColumn('id', 'text', (column) => column.primaryKey())
      .addColumn('owner', 'text', (column) => column.notNull())
      .addColumn('agent', 'text', (column) => column.notNull())
      .addColumn('title', 'text', (column) => column.notNull())
      .addColumn('open_by_id', 'integer', (column) => column.notNull())
      .addColumn('created_at', 'bigint', (column) => column.notNull())
      .addColumn('updated_at', 'bigint', (column) => column.notNull())
      .execute()
    await database.schema.createIndex('sessions_of_owner').on('sessions').columns(['owner', 'updated_at']).execute()
    await database.schema.createIndex('sessions_by_activity').on('sessions').column('updated_at').execute()
    await database.schema
      .createTable('messages')
      .addColumn('id', 'text', (column) => column.notNull())
      .addColumn('session_id', 'text', (column) => column.notNull().references('sessions.id').onDelete('cascade'))
      .addColumn('position', 'integer', (column) => column.notNull())
      .addColumn('role', 'text', (column) => column.notNull())
      .addColumn('parts', 'text', (column) => column.notNull())
      .addColumn('metadata', 'text', (column) => column.notNull())
      .addColumn('created_at', 'bigint', (column) => column.notNull())
      // Messages are always read by session and in order; looked up by id only within one.
      .addPrimaryKeyConstraint('messages_in_order', ['session_id', 'position'])
      .execute()
    await database.schema
      .createTable('turns')
      .addColumn('id', 'text', (column) => column.primaryKey())
      .addColumn('session_id', 'text', (column) => column.notNull().references('sessions.id').onDelete('cascade'))
      .addColumn('prompt_id', 'text', (column) => column.notNull())
      .addColumn('status', 'text', (column) => column.notNull())
      .addColumn('code', 'text')
      .addColumn('instance', 'text', (column) => column.notNull())
      .addColumn('started_at', 'bigint', (column) => column.notNull())
      .addColumn('heartbeat_at', 'bigint', (column) => column.notNull())
      .addColumn('ended_at', 'bigint')
      .execute()
    await database.schema.createIndex('turns_of_session').on('turns').column('session_id').execute()
    // The database itself holds the rule that one turn runs in a session at a time.
    await database.schema
      .createIndex('one_running_turn_a_session')
      .on('turns')
      .column('session_id')
      .unique()
      .where(sql.ref('status'), '=', sql.lit('running'))
      .execute()
  },
}
