import { join } from 'node:path'
import { Kysely, sql } from 'kysely'
import { Migrator } from 'kysely/migration'
import { conversations } from './migrations/2026-11-21-conversations.ts'
import { credentials } from './migrations/2026-11-21-credentials.ts'
import { idempotencyKeys } from './migrations/2026-11-21-idempotency-keys.ts'
import { identities } from './migrations/2026-11-21-identities.ts'
import { quotas } from './migrations/2026-11-21-quotas.ts'
import { rights } from './migrations/2026-11-21-rights.ts'
import { sizesOfImports } from './migrations/2026-11-21-sizes-of-imports.ts'
import { spending } from './migrations/2026-11-21-spending.ts'
import { stopRequests } from './migrations/2026-11-21-stop-requests.ts'
import { summaries } from './migrations/2026-11-21-summaries.ts'
import { turnEvents } from './migrations/2026-11-21-turn-events.ts'
import { visitorChoices } from './migrations/2026-11-21-visitor-choices.ts'
import { files } from './migrations/2026-11-21-visitor-files.ts'
import { writtenVersions } from './migrations/2026-11-21-written-versions.ts'
import { writtenVotes } from './migrations/2026-11-21-written-votes.ts'
import { yourLinks } from './migrations/2026-11-21-your-links.ts'
import { yourOwnDays } from './migrations/2026-11-21-your-own-days.ts'
import { yourOwnOrder } from './migrations/2026-11-21-your-own-order.ts'
import { sealedKeys } from './migrations/2026-11-23-sealed-keys.ts'
import { fewerPages } from './migrations/2026-11-22-fewer-pages.ts'
import type { Schema } from './schema.ts'
import { NodeSqliteDialect } from './sqlite.ts'

export type Database = Kysely<Schema>
export type DatabaseSettings = { kind: 'sqlite'; directory: string } | { kind: 'postgres'; url: string }

/** Their names order them; one that has shipped never changes. */
export const MIGRATIONS = {
  '2026-11-21-conversations': conversations,
  '2026-11-21-credentials': credentials,
  '2026-11-21-idempotency-keys': idempotencyKeys,
  '2026-11-21-identities': identities,
  '2026-11-21-quotas': quotas,
  '2026-11-21-rights': rights,
  '2026-11-21-sizes-of-imports': sizesOfImports,
  '2026-11-21-spending': spending,
  '2026-11-21-stop-requests': stopRequests,
  '2026-11-21-summaries': summaries,
  '2026-11-21-turn-events': turnEvents,
  '2026-11-21-visitor-choices': visitorChoices,
  '2026-11-21-visitor-files': files,
  '2026-11-21-written-versions': writtenVersions,
  '2026-11-21-written-votes': writtenVotes,
  '2026-11-21-your-links': yourLinks,
  '2026-11-21-your-own-days': yourOwnDays,
  '2026-11-21-your-own-order': yourOwnOrder,
  '2026-11-22-fewer-pages': fewerPages,
  '2026-11-23-sealed-keys': sealedKeys,
}

/**
 * Opens the database and brings its schema up to date. Safe with several processes starting together:
 * one migrates, the others wait for it.
 * `onError` hears of connections that break while idle; without a listener they would end the process.
 */
export async function openDatabase(settings: DatabaseSettings, onError: (error: Error) => void): Promise<Database> {
  if (settings.kind === 'sqlite') return migrated(new Kysely<Schema>({ dialect: sqliteDialect(settings.directory) }))
  // Loaded only when it is used: most installations have the embedded database.
  const { patientPostgresDialect, postgresDialect } = await import('./postgres.ts')
  const patient = await migrated(new Kysely<Schema>({ dialect: patientPostgresDialect(settings.url, onError) }))
  await patient.destroy()
  return new Kysely<Schema>({ dialect: postgresDialect(settings.url, onError) })
}

/** Opens a database that is up to date for reads that may take long, on a connection of its own. */
export async function openReader(settings: DatabaseSettings, onError: (error: Error) => void): Promise<Database> {
  if (settings.kind === 'sqlite') return new Kysely<Schema>({ dialect: sqliteDialect(settings.directory) })
  const { patientPostgresDialect } = await import('./postgres.ts')
  return new Kysely<Schema>({ dialect: patientPostgresDialect(settings.url, onError) })
}

async function migrated(database: Database): Promise<Database> {
  try {
    await migrate(database)
    return database
  } catch (error) {
    await database.destroy()
    throw error
  }
}

/** Resolves when the database answers. */
export async function ping(database: Database): Promise<void> {
  await sql`select 1`.execute(database)
}

function sqliteDialect(directory: string): NodeSqliteDialect {
  return new NodeSqliteDialect(join(directory, 'parley.db'))
}

async function migrate(database: Database): Promise<void> {
  const migrator = new Migrator({ db: database, provider: { getMigrations: async () => MIGRATIONS } })
  const { error } = await migrator.migrateToLatest()
  if (error) throw error instanceof Error ? error : new Error('The database could not be brought up to date', { cause: error })
}
