import type { Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'

/** Agents that staff manage; runs unchanged on SQLite and PostgreSQL. `managed-texts-schema.ts` documents the columns. */
export const managedAgents: Migration = {
  async up({ schema }: Kysely<unknown>) {
    await schema
      .createTable('managed_agents')
      .addColumn('id', 'text', (column) => column.primaryKey())
      .addColumn('draft', 'text', (column) => column.notNull())
      .addColumn('draft_revision', 'integer', (column) => column.notNull())
      .addColumn('draft_by', 'text', (column) => column.notNull())
      .addColumn('draft_at', 'bigint', (column) => column.notNull())
      .addColumn('published', 'integer')
      .addColumn('created_at', 'bigint', (column) => column.notNull())
      .execute()
    await schema
      .createTable('agent_publications')
      .addColumn('agent_id', 'text', (column) => column.notNull().references('managed_agents.id').onDelete('cascade'))
      .addColumn('number', 'integer', (column) => column.notNull())
      .addColumn('hash', 'text', (column) => column.notNull())
      .addColumn('content', 'text', (column) => column.notNull())
      .addColumn('restores', 'integer')
      .addColumn('published_by', 'text', (column) => column.notNull())
      .addColumn('published_at', 'bigint', (column) => column.notNull())
      .addPrimaryKeyConstraint('agent_publications_key', ['agent_id', 'number'])
      .execute()
  },
}
