import type { Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'

/** Names rejected requests as the code does; runs unchanged on SQLite and PostgreSQL. */
export const networkRejections: Migration = {
  async up(database: Kysely<unknown>) {
    await database.schema.alterTable('network_refusals').renameTo('network_rejections').execute()
    const figures = database as Kysely<{ daily_figures: { dimension: string } }>
    await figures.updateTable('daily_figures').set({ dimension: 'rejection' }).where('dimension', '=', 'refusal').execute()
  },
}
