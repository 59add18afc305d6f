import type { Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'

/** The keys of requests that may be repeated, and the turn that each has made. */
export const idempotencyKeys: Migration = {
  async up(database: Kysely<unknown>) {
    await database.schema
      .createTable('idempotency_keys')
      .addColumn('scope', 'text', (column) => column.notNull())
      .addColumn('key_hash', 'text', (column) => column.notNull())
      .addColumn('request_hash', 'text', (column) => column.notNull())
      .addColumn('turn_id', 'text', (column) => column.notNull())
      .addColumn('created_at', 'bigint', (column) => column.notNull())
      .addPrimaryKeyConstraint('idempotency_key_of_scope', ['scope', 'key_hash'])
      // A key is claimed before its turn is made, so that of requests that come together one goes on and the others wait for it.
      .addForeignKeyConstraint('idempotency_key_of_turn', ['turn_id'], 'turns', ['id'], (constraint) =>
        constraint.onDelete('cascade').deferrable().initiallyDeferred(),
      )
      .execute()
    await database.schema.createIndex('idempotency_keys_of_turn').on('idempotency_keys').column('turn_id').execute()
    await database.schema.createIndex('idempotency_keys_by_age').on('idempotency_keys').column('created_at').execute()
  },
}
