import { join } from 'node:path'
import { Kysely, PostgresDialect, sql } from 'kysely'
import { Migrator } from 'kysely/migration'
import { conversations } from './migrations/2026-11-21-conversations.ts'
import { credentials } from './migrations/2026-11-21-credentials.ts'
import { idempotencyKeys } from './migrations/2026-11-21-idempotency-keys.ts'
import { identities } from './migrations/2026-11-21-identities.ts'
import { quotas } from './migrations/2026-11-21-quotas.ts'
import { rights } from './migrations/2026-11-21-rights.ts'
import { turnEvents } from './migrations/2026-11-21-turn-events.ts'
import type { Schema } from './schema.ts'
import { NodeSqliteDialect } from './sqlite.ts'

export type Database = Kysely<Schema>
export type DatabaseSettings = { kind: 'sqlite'; directory: string } | { kind: 'postgres'; url: string }

const POOL_SIZE = 10
/** A caller waits this long for a connection; then it fails, and the visitor hears of it. */
const CONNECTION_TIMEOUT_MS = 2_000
const STATEMENT_TIMEOUT_MS = 10_000

// Names order the migrations; one that has shipped never changes.
const MIGRATIONS = {
  '2026-11-21-conversations': conversations,
  '2026-11-21-credentials': credentials,
  '2026-11-21-idempotency-keys': idempotencyKeys,
  '2026-11-21-identities': identities,
  '2026-11-21-quotas': quotas,
  '2026-11-21-rights': rights,
  '2026-11-21-turn-events': turnEvents,
}

/**
 * Opens the database and brings its schema up to date. Safe with several processes starting together:
 * one migrates, the others wait for it.
 * `onError` hears of connections that break while idle; without a listener they would end the process.
 */
export async function openDatabase(settings: DatabaseSettings, onError: (error: Error) => void): Promise<Database> {
  const database = new Kysely<Schema>({
    dialect: settings.kind === 'sqlite' ? sqliteDialect(settings.directory) : await postgresDialect(settings.url, onError),
  })
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

async function postgresDialect(url: string, onError: (error: Error) => void): Promise<PostgresDialect> {
  // Loaded only when it is used: most installations have the embedded database.
  const { default: pg } = await import('pg')
  const pool = new pg.Pool({
    connectionString: url,
    max: POOL_SIZE,
    connectionTimeoutMillis: CONNECTION_TIMEOUT_MS,
    statement_timeout: STATEMENT_TIMEOUT_MS,
    // Times are bigint columns; all of them are safe integers.
    types: { getTypeParser: (oid, format) => (oid === pg.types.builtins.INT8 ? Number : pg.types.getTypeParser(oid, format)) },
  })
  pool.on('error', onError)
  return new PostgresDialect({ pool })
}

async function migrate(database: Database): Promise<void> {
  const migrator = new Migrator({ db: database, provider: { getMigrations: async () => MIGRATIONS } })
  const { error } = await migrator.migrateToLatest()
  if (error) throw error instanceof Error ? error : new Error('The database could not be brought up to date', { cause: error })
}
