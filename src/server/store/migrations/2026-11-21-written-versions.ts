import { type Kysely, sql } from 'kysely'
import type { Migration } from 'kysely/migration'

/** A message says what it follows, so that a prompt can be edited and an answer written again beside the earlier one. */
export const writtenVersions: Migration = {
  async up(database: Kysely<unknown>) {
    await database.schema
      .alterTable('messages')
      .addColumn('parent', 'integer', (column) => column.notNull().defaultTo(0))
      .execute()
    await database.schema
      .alterTable('sessions')
      .addColumn('leaf', 'integer', (column) => column.notNull().defaultTo(0))
      .execute()
    await sql`update messages set parent = coalesce((
      select max(earlier.position) from messages as earlier
      where earlier.session_id = messages.session_id and earlier.position < messages.position
    ), 0)`.execute(database)
    await sql`update sessions set leaf = coalesce((
      select max(position) from messages where messages.session_id = sessions.id
    ), 0)`.execute(database)
    await database.schema.createIndex('messages_by_parent').on('messages').columns(['session_id', 'parent']).execute()
  },
}
