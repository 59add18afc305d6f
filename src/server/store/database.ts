import { join } from 'node:path'
import { Kysely, sql } from 'kysely'
import { Migrator } from 'kysely/migration'
import { initialSchema } from './migrations/0001-initial-schema.ts'
import type { GuardedSchema } from './schema.ts'
import { NodeSqliteDialect } from './sqlite.ts'

/** Sessions are missing on purpose: `access.ts` adds them, with the condition that says whose they are. */
export type Database = Kysely<GuardedSchema>
export type DatabaseSettings = { kind: 'sqlite'; directory: string } | { kind: 'postgres'; url: string }

/** Applied in the order of their names. A released migration never changes. */
export const MIGRATIONS = { '0001-initial-schema': initialSchema }

/**
 * Opens the database and brings its schema up to date. Safe with several processes starting together:
 * one migrates, the others wait for it.
 * `onError` hears of connections that break while idle; without a listener they would end the process.
 */
export async function openDatabase(settings: DatabaseSettings, onError: (error: Error) => void): Promise<Database> {
  if (settings.kind === 'sqlite') return migrated(new Kysely<GuardedSchema>({ dialect: sqliteDialect(settings.directory) }))
  // Loaded only when it is used: most installations have the embedded database.
  const { patientPostgresDialect, postgresDialect } = await import('./postgres.ts')
  const patient = await migrated(new Kysely<GuardedSchema>({ dialect: patientPostgresDialect(settings.url, onError) }))
  await patient.destroy()
  return new Kysely<GuardedSchema>({ dialect: postgresDialect(settings.url, onError) })
}

/** Opens a database that is up to date for reads that may take long, on a connection of its own. */
export async function openReader(settings: DatabaseSettings, onError: (error: Error) => void): Promise<Database> {
  if (settings.kind === 'sqlite') return new Kysely<GuardedSchema>({ dialect: sqliteDialect(settings.directory) })
  const { patientPostgresDialect } = await import('./postgres.ts')
  return new Kysely<GuardedSchema>({ dialect: patientPostgresDialect(settings.url, onError) })
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
  if (error) throw error instanceof Error ? error : new Error('Migrating the database failed', { cause: error })
}
