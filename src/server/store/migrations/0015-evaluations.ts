import type { Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'

/** Cases of agents, and their evaluations; runs unchanged on SQLite and PostgreSQL. `managed-texts-schema.ts` documents the columns. */
export const evaluations: Migration = {
  async up({ schema }: Kysely<unknown>) {
    await schema
      .alterTable('managed_agents')
      .addColumn('cases', 'text', (column) => column.notNull().defaultTo(''))
      .execute()
    await schema
      .alterTable('managed_agents')
      .addColumn('cases_revision', 'integer', (column) => column.notNull().defaultTo(0))
      .execute()
    await schema.alterTable('managed_agents').addColumn('cases_by', 'text').execute()
    await schema.alterTable('managed_agents').addColumn('cases_at', 'bigint').execute()
    await schema.alterTable('agent_publications').addColumn('cases_right', 'integer').execute()
    await schema.alterTable('agent_publications').addColumn('cases_total', 'integer').execute()
    await schema
      .createTable('agent_evaluations')
      .addColumn('agent_id', 'text', (column) => column.notNull().references('managed_agents.id').onDelete('cascade'))
      .addColumn('number', 'integer', (column) => column.notNull())
      .addColumn('text_hash', 'text', (column) => column.notNull())
      .addColumn('cases_hash', 'text', (column) => column.notNull())
      .addColumn('status', 'text', (column) => column.notNull())
      .addColumn('total', 'integer', (column) => column.notNull())
      .addColumn('asked', 'integer', (column) => column.notNull().defaultTo(0))
      .addColumn('right_count', 'integer', (column) => column.notNull().defaultTo(0))
      .addColumn('results', 'text', (column) => column.notNull())
      .addColumn('started_by', 'text', (column) => column.notNull())
      .addColumn('started_at', 'bigint', (column) => column.notNull())
      .addColumn('seen_at', 'bigint', (column) => column.notNull())
      .addColumn('ended_at', 'bigint')
      .addColumn('is_stop_asked', 'integer', (column) => column.notNull().defaultTo(0))
      .addPrimaryKeyConstraint('agent_evaluations_key', ['agent_id', 'number'])
      .execute()
  },
}
