import { join } from 'node:path'
import { Kysely, sql } from 'kysely'
import { Migrator } from 'kysely/migration'
import { initialSchema } from './migrations/0001-initial-schema.ts'
import { isNewer, recordRelease } from './schema-version.ts'
import type { GuardedSchema } from './schema.ts'
import { NodeSqliteDialect } from './sqlite.ts'

/** Lacks sessions on purpose: `access.ts` adds them with the access condition. */
export type Database = Kysely<GuardedSchema>
export type DatabaseSettings = { kind: 'sqlite'; directory: string } | { kind: 'postgres'; url: string; connections?: number }

/** Applied in the order of their names. A released migration never changes. */
export const MIGRATIONS = { '0001-initial-schema': initialSchema }

/**
 * Opens the database and brings its schema up to date. Safe with several processes starting together:
 * one migrates, the others wait for it.
 * A database that a newer release has migrated is used as it is, or rejected with `NewerDatabase`.
 * `onError` is called when an idle connection breaks, which would otherwise crash the process.
 */
export async function openDatabase(settings: DatabaseSettings, onError: (error: Error) => void, release = 'unknown'): Promise<Database> {
  if (settings.kind === 'sqlite') return migrated(new Kysely<GuardedSchema>({ dialect: sqliteDialect(settings.directory) }), release)
  // Loaded on demand, since most installations use the embedded database.
  const { patientPostgresDialect, postgresDialect } = await import('./postgres.ts')
  const patient = await migrated(new Kysely<GuardedSchema>({ dialect: patientPostgresDialect(settings.url, onError) }), release)
  await patient.destroy()
  return new Kysely<GuardedSchema>({ dialect: postgresDialect(settings.url, onError, settings.connections) })
}

/** Opens a separate connection for long reads of a migrated database. */
export async function openReader(settings: DatabaseSettings, onError: (error: Error) => void): Promise<Database> {
  if (settings.kind === 'sqlite') return new Kysely<GuardedSchema>({ dialect: sqliteDialect(settings.directory) })
  const { patientPostgresDialect } = await import('./postgres.ts')
  return new Kysely<GuardedSchema>({ dialect: patientPostgresDialect(settings.url, onError) })
}

async function migrated(database: Database, release: string): Promise<Database> {
  try {
    if (!(await isNewer(database, Object.keys(MIGRATIONS)))) await migrate(database, release)
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

/** PostgreSQL's own time, in milliseconds since the epoch. */
export async function databaseTime(database: Database): Promise<number> {
  const { rows } = await sql<{ time: string }>`select extract(epoch from clock_timestamp()) * 1000 as time`.execute(database)
  return Number(rows[0]?.time)
}

function sqliteDialect(directory: string): NodeSqliteDialect {
  return new NodeSqliteDialect(join(directory, 'parley.db'))
}

async function migrate(database: Database, release: string): Promise<void> {
  const migrator = new Migrator({ db: database, provider: { getMigrations: async () => MIGRATIONS } })
  const { error } = await migrator.migrateToLatest()
  if (error) throw error instanceof Error ? error : new Error('Migrating the database failed', { cause: error })
  await recordRelease(database, release)
}
