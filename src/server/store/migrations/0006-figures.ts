import { type Kysely, sql } from 'kysely'
import type { Migration } from 'kysely/migration'

const COUNTS = ['turns', 'input_tokens', 'output_tokens', 'complete', 'lost', 'not_covered', 'up', 'down', 'rephrased'] as const

/** Daily figures, and what finds questions without an answer; runs unchanged on SQLite and PostgreSQL. `figures-schema.ts` documents the columns. */
export const figures: Migration = {
  async up({ schema }: Kysely<unknown>) {
    let table = schema
      .createTable('daily_figures')
      .addColumn('dimension', 'text', (column) => column.notNull())
      .addColumn('day', 'text', (column) => column.notNull())
      .addColumn('value', 'text', (column) => column.notNull())
      .addColumn('cost', 'double precision', (column) => column.notNull())
      .addPrimaryKeyConstraint('daily_figures_key', ['dimension', 'day', 'value'])
    for (const count of COUNTS) table = table.addColumn(count, 'bigint', (column) => column.notNull())
    await table.execute()
    await schema
      .createTable('daily_visitors')
      .addColumn('day', 'text', (column) => column.notNull())
      .addColumn('hash', 'text', (column) => column.notNull())
      .addPrimaryKeyConstraint('daily_visitors_key', ['day', 'hash'])
      .execute()
    await schema
      .alterTable('turns')
      .addColumn('rephrases', 'integer', (column) => column.notNull().defaultTo(0))
      .execute()
    await schema
      .createIndex('turns_not_covered')
      .on('turns')
      .column('started_at')
      .where(sql.ref('state'), '=', sql.lit('not_covered'))
      .execute()
    await schema.createIndex('turns_that_rephrase').on('turns').column('started_at').where(sql.ref('rephrases'), '=', sql.lit(1)).execute()
    await schema.createIndex('feedback_down').on('feedback').column('given_at').where(sql.ref('thumb'), '=', sql.lit('down')).execute()
    await schema
      .createTable('dismissed_topics')
      .addColumn('id', 'text', (column) => column.primaryKey())
      .addColumn('dismissed_at', 'bigint', (column) => column.notNull())
      .execute()
  },
}
