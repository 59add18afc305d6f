import { type CreateTableBuilder, type Kysely, PostgresAdapter, sql } from 'kysely'
import type { Migration } from 'kysely/migration'

/** The whole schema; runs unchanged on SQLite and PostgreSQL. `schema.ts` documents the columns. */
export const initialSchema: Migration = {
  async up(database: Kysely<unknown>) {
    await createVisitors(database)
    await createSessions(database)
    await createMessages(database)
    await createTurns(database)
    await createFiles(database)
    await createTransfers(database)
    await createLimits(database)
  },
}

async function createVisitors({ schema }: Kysely<unknown>): Promise<void> {
  await schema
    .createTable('visitors')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .execute()
  await schema
    .createTable('visitor_keys')
    .addColumn('key_hash', 'text', (column) => column.primaryKey())
    .addColumn('visitor_id', 'text', (column) => column.notNull().references('visitors.id').onDelete('cascade'))
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .addColumn('expires_at', 'bigint')
    .addColumn('sealed_key', 'text')
    .execute()
  await schema.createIndex('visitor_keys_of_visitor').on('visitor_keys').column('visitor_id').execute()
  await schema
    .createIndex('visitor_keys_that_expire')
    .on('visitor_keys')
    .column('expires_at')
    .where(sql.ref('expires_at'), 'is not', sql.lit(null))
    .execute()
  await schema
    .createIndex('sealed_visitor_keys')
    .on('visitor_keys')
    .column('created_at')
    .where(sql.ref('sealed_key'), 'is not', sql.lit(null))
    .execute()
  await schema
    .createTable('identities')
    .addColumn('hash', 'text', (column) => column.primaryKey())
    .addColumn('visitor_id', 'text', (column) => column.notNull().unique().references('visitors.id').onDelete('cascade'))
    .addColumn('name', 'text')
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .execute()
}

async function createSessions({ schema }: Kysely<unknown>): Promise<void> {
  await schema
    .createTable('sessions')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('owner', 'text', (column) => column.notNull())
    .addColumn('agent', 'text', (column) => column.notNull())
    .addColumn('title', 'text', (column) => column.notNull())
    .addColumn('titled_by', 'text', (column) => column.notNull().defaultTo('prompt'))
    .addColumn('open_by_id', 'integer', (column) => column.notNull())
    .addColumn('temporary', 'integer', (column) => column.notNull().defaultTo(0))
    .addColumn('pinned', 'integer', (column) => column.notNull().defaultTo(0))
    .addColumn('leaf', 'integer', (column) => column.notNull().defaultTo(0))
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .addColumn('updated_at', 'bigint', (column) => column.notNull())
    .addColumn('imported_at', 'bigint', (column) => column.notNull().defaultTo(0))
    .addColumn('described_at', 'bigint', (column) => column.notNull().defaultTo(0))
    .execute()
  await schema
    .createIndex('sessions_of_owner_in_order')
    .on('sessions')
    .columns(['owner', 'pinned', 'updated_at', 'id', 'described_at'])
    .execute()
  // With the time of import, the purge skips imported sessions without reading them.
  await schema.createIndex('sessions_by_activity').on('sessions').columns(['updated_at', 'imported_at']).execute()
  // Partial indexes: a new session adds no page to them.
  await schema
    .createIndex('sessions_by_description')
    .on('sessions')
    .column('described_at')
    .where(sql.ref('described_at'), '>', sql.lit(0))
    .execute()
  await schema.createIndex('temporary_sessions').on('sessions').column('updated_at').where(sql.ref('temporary'), '=', sql.lit(1)).execute()
  await schema
    .createTable('imports')
    .addColumn('session_id', 'text', (column) => column.primaryKey().references('sessions.id').onDelete('cascade'))
    .addColumn('owner', 'text', (column) => column.notNull())
    .addColumn('content_hash', 'text', (column) => column.notNull())
    .addColumn('characters', 'integer', (column) => column.notNull().defaultTo(0))
    .addUniqueConstraint('imported_once', ['owner', 'content_hash'])
    .execute()
  await schema
    .createTable('shares')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('session_id', 'text', (column) => column.notNull().references('sessions.id').onDelete('cascade'))
    .addColumn('title', 'text', (column) => column.notNull())
    .addColumn('messages', 'text', (column) => column.notNull())
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .addColumn('expires_at', 'bigint', (column) => column.notNull())
    .execute()
  await schema.createIndex('shares_of_session').on('shares').column('session_id').execute()
  await schema.createIndex('shares_by_end').on('shares').column('expires_at').execute()
}

async function createMessages({ schema }: Kysely<unknown>): Promise<void> {
  await schema
    .createTable('messages')
    .addColumn('id', 'text', (column) => column.notNull())
    .addColumn('session_id', 'text', (column) => column.notNull().references('sessions.id').onDelete('cascade'))
    .addColumn('position', 'integer', (column) => column.notNull())
    .addColumn('parent', 'integer', (column) => column.notNull().defaultTo(0))
    .addColumn('role', 'text', (column) => column.notNull())
    .addColumn('turn_id', 'text')
    .addColumn('parts', 'text', (column) => column.notNull())
    .addColumn('metadata', 'text', (column) => column.notNull())
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    // Messages are read by session and in order; a query by id names the session too.
    .addPrimaryKeyConstraint('messages_in_order', ['session_id', 'position'])
    .execute()
  await schema.createIndex('messages_by_parent').on('messages').columns(['session_id', 'parent']).execute()
  await schema.createIndex('messages_by_turn').on('messages').column('turn_id').where(sql.ref('turn_id'), 'is not', sql.lit(null)).execute()
  await schema
    .createTable('feedback')
    .addColumn('session_id', 'text', (column) => column.notNull().references('sessions.id').onDelete('cascade'))
    .addColumn('position', 'integer', (column) => column.notNull())
    .addColumn('thumb', 'text', (column) => column.notNull())
    .addColumn('reason', 'text')
    .addColumn('given_at', 'bigint', (column) => column.notNull())
    .addPrimaryKeyConstraint('feedback_of_message', ['session_id', 'position'])
    .addForeignKeyConstraint('feedback_with_message', ['session_id', 'position'], 'messages', ['session_id', 'position'], (constraint) =>
      constraint.onDelete('cascade'),
    )
    .execute()
  await schema
    .createTable('summaries')
    .addColumn('session_id', 'text', (column) => column.notNull().references('sessions.id').onDelete('cascade'))
    .addColumn('message_id', 'text', (column) => column.notNull())
    .addColumn('text', 'text', (column) => column.notNull())
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .addPrimaryKeyConstraint('summaries_by_last_message', ['session_id', 'message_id'])
    .execute()
}

async function createTurns(database: Kysely<unknown>): Promise<void> {
  const { schema } = database
  await schema
    .createTable('turns')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('session_id', 'text', (column) => column.notNull().references('sessions.id').onDelete('cascade'))
    .addColumn('prompt_id', 'text', (column) => column.notNull())
    .addColumn('status', 'text', (column) => column.notNull())
    .addColumn('code', 'text')
    .addColumn('state', 'text')
    .addColumn('agent_hash', 'text')
    .addColumn('policy_hash', 'text')
    .addColumn('knowledge_hash', 'text')
    .addColumn('model', 'text')
    .addColumn('instance', 'text', (column) => column.notNull())
    .addColumn('started_at', 'bigint', (column) => column.notNull())
    .addColumn('ended_at', 'bigint')
    .addColumn('stop_requested', 'integer', (column) => column.notNull().defaultTo(0))
    .addColumn('reservations', 'text')
    .addColumn('thorough', 'integer', (column) => column.notNull().defaultTo(0))
    .execute()
  await schema.createIndex('turns_of_session').on('turns').column('session_id').execute()
  // Enforces that a session runs one turn at a time.
  await schema
    .createIndex('one_running_turn_a_session')
    .on('turns')
    .column('session_id')
    .unique()
    .where(sql.ref('status'), '=', sql.lit('running'))
    .execute()
  await clusteredByKey(
    database,
    schema
      .createTable('turn_events')
      .addColumn('turn_id', 'text', (column) => column.notNull().references('turns.id').onDelete('cascade'))
      .addColumn('first_seq', 'integer', (column) => column.notNull())
      .addColumn('last_seq', 'integer', (column) => column.notNull())
      .addColumn('chunks', 'text', (column) => column.notNull())
      .addPrimaryKeyConstraint('turn_events_in_order', ['turn_id', 'first_seq']),
  ).execute()
  await schema
    .createTable('idempotency_keys')
    .addColumn('scope', 'text', (column) => column.notNull())
    .addColumn('key_hash', 'text', (column) => column.notNull())
    .addColumn('request_hash', 'text', (column) => column.notNull())
    .addColumn('turn_id', 'text', (column) => column.notNull())
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .addPrimaryKeyConstraint('idempotency_key_of_scope', ['scope', 'key_hash'])
    // Deferred: a request claims its key before it stores its turn, so that simultaneous repeats wait for the first.
    .addForeignKeyConstraint('idempotency_key_of_turn', ['turn_id'], 'turns', ['id'], (constraint) =>
      constraint.onDelete('cascade').deferrable().initiallyDeferred(),
    )
    .execute()
  await schema.createIndex('idempotency_keys_of_turn').on('idempotency_keys').column('turn_id').execute()
  await schema.createIndex('idempotency_keys_by_age').on('idempotency_keys').column('created_at').execute()
  await schema
    .createTable('processes')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('heartbeat', 'bigint', (column) => column.notNull())
    .execute()
}

async function createFiles({ schema }: Kysely<unknown>): Promise<void> {
  await withFileColumns(schema.createTable('waiting_files'))
    .addColumn('owner', 'text', (column) => column.notNull())
    .execute()
  await schema.createIndex('waiting_files_by_owner').on('waiting_files').columns(['owner', 'created_at']).execute()
  await schema.createIndex('waiting_files_by_age').on('waiting_files').column('created_at').execute()
  await withFileColumns(schema.createTable('files'))
    .addColumn('session_id', 'text', (column) => column.notNull().references('sessions.id').onDelete('cascade'))
    .execute()
  await schema.createIndex('files_by_session').on('files').column('session_id').execute()
}

function withFileColumns(table: ReturnType<Kysely<unknown>['schema']['createTable']>) {
  return (
    table
      .addColumn('id', 'text', (column) => column.primaryKey())
      .addColumn('name', 'text', (column) => column.notNull())
      .addColumn('media_type', 'text', (column) => column.notNull())
      .addColumn('size', 'bigint', (column) => column.notNull())
      .addColumn('created_at', 'bigint', (column) => column.notNull())
      .addColumn('text', 'text')
      // SQLite stores bytes unchanged, whatever the column's type.
      .addColumn('content', sql`bytea`, (column) => column.notNull())
  )
}

async function createTransfers({ schema }: Kysely<unknown>): Promise<void> {
  await schema
    .createTable('transfers')
    .addColumn('code_hash', 'text', (column) => column.primaryKey())
    // Unique: a new code replaces the previous one.
    .addColumn('visitor_id', 'text', (column) => column.notNull().unique().references('visitors.id').onDelete('cascade'))
    .addColumn('expires_at', 'bigint', (column) => column.notNull())
    .execute()
  await schema
    .createTable('transfer_tries')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('network', 'text', (column) => column.notNull())
    .addColumn('tried_at', 'bigint', (column) => column.notNull())
    .execute()
  await schema.createIndex('transfer_tries_by_time').on('transfer_tries').columns(['tried_at', 'network']).execute()
}

async function createLimits(database: Kysely<unknown>): Promise<void> {
  const { schema } = database
  await schema
    .createTable('version_texts')
    .addColumn('hash', 'text', (column) => column.primaryKey())
    .addColumn('kind', 'text', (column) => column.notNull())
    .addColumn('content', 'text', (column) => column.notNull())
    .addColumn('seen_at', 'bigint', (column) => column.notNull())
    .execute()
  await schema
    .createTable('stops')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('kind', 'text', (column) => column.notNull())
    .addColumn('target', 'text', (column) => column.notNull())
    .addColumn('examples', 'text', (column) => column.notNull())
    .addColumn('reply', 'text')
    .addColumn('reason', 'text', (column) => column.notNull())
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .execute()
  await schema
    .createTable('installation_facts')
    .addColumn('name', 'text', (column) => column.primaryKey())
    .addColumn('value', 'text', (column) => column.notNull())
    .execute()
  await clusteredByKey(
    database,
    schema
      .createTable('quota_counts')
      .addColumn('key', 'text', (column) => column.primaryKey())
      .addColumn('count', 'integer', (column) => column.notNull())
      .addColumn('ends_at', 'bigint', (column) => column.notNull()),
  ).execute()
  await schema.createIndex('quota_counts_by_end').on('quota_counts').column('ends_at').execute()
  await schema
    .createTable('security_events')
    .addColumn('day', 'text', (column) => column.notNull())
    .addColumn('kind', 'text', (column) => column.notNull())
    .addColumn('count', 'bigint', (column) => column.notNull())
    .addPrimaryKeyConstraint('security_events_of_day', ['day', 'kind'])
    .execute()
  await schema
    .createTable('address_salts')
    .addColumn('day', 'integer', (column) => column.primaryKey())
    .addColumn('salt', 'text', (column) => column.notNull())
    .execute()
  await schema
    .createTable('budgets')
    .addColumn('account', 'text', (column) => column.primaryKey())
    .addColumn('spent', 'bigint', (column) => column.notNull())
    .addColumn('reserved', 'bigint', (column) => column.notNull())
    .addColumn('ends_at', 'bigint', (column) => column.notNull())
    .execute()
  await schema.createIndex('budgets_by_end').on('budgets').column('ends_at').execute()
}

/** On SQLite, stores short rows in the primary key's tree instead of beside it: fewer pages a write, https://sqlite.org/withoutrowid.html. */
function clusteredByKey<Table extends string, Columns extends string>(
  database: Kysely<unknown>,
  table: CreateTableBuilder<Table, Columns>,
): CreateTableBuilder<Table, Columns> {
  return database.getExecutor().adapter instanceof PostgresAdapter ? table : table.modifyEnd(sql`without rowid`)
}
