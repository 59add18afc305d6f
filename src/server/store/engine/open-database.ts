import { type LogEvent, type Logger, Kysely } from 'kysely'
import { ATTRIBUTES } from '../../telemetry/tracing/names.ts'
import { isInSpan, openSpan } from '../../telemetry/tracing/spans.ts'
import type { Database } from './database.ts'
import { join } from 'node:path'
import { type Migration, Migrator } from 'kysely/migration'
import { initialSchema } from './migrations/0001-initial-schema.ts'
import type { ConnectionLevels } from './postgres.ts'
import { appliedMigrations, isNewer, recordRelease } from './schema-version.ts'
import type { GuardedSchema } from './schema/schema.ts'
import { isOutage } from './storage-fault.ts'
import { NodeSqliteDialect } from './sqlite.ts'

/** Told of a statement that took long, by its verb and table. */
export type OnSlowStatement = (statement: string, durationMs: number) => void

/** Above it, visitors notice a statement, and a few in a row are cut. */
const SLOW_MS = 500

const VERB = /^[\s(]*(\w+)/
const TABLE = /\b(?:from|into|update|table)\s+"?(\w+)/i

/** Kysely's logger: a span for each statement of a request or turn, and a word on slow ones. Neither has the statement or its parameters. */
export function statementLogger(system: 'sqlite' | 'postgresql', onSlow?: OnSlowStatement): Logger {
  return (event) => {
    const { sql } = event.query
    // One that an outage cut is told with the outage.
    const isSlow = event.queryDurationMillis > SLOW_MS && !(event.level === 'error' && isOutage(event.error))
    if (!isSlow && !isInSpan()) return
    const [operation = 'statement', table] = [VERB.exec(sql)?.[1]?.toLowerCase(), TABLE.exec(sql)?.[1]]
    const summary = table ? `${operation} ${table}` : operation
    if (isSlow) onSlow?.(summary, Math.round(event.queryDurationMillis))
    if (isInSpan()) traceStatement(event, { system, operation, table, summary })
  }
}

function traceStatement(
  { level, queryDurationMillis, ...event }: LogEvent,
  { system, operation, table, summary }: { system: string; operation: string; table: string | undefined; summary: string },
): void {
  const attributes = {
    [ATTRIBUTES.databaseSystem]: system,
    [ATTRIBUTES.databaseOperation]: operation,
    [ATTRIBUTES.databaseSummary]: summary,
    ...(table && { [ATTRIBUTES.databaseTable]: table }),
  }
  const span = openSpan(summary, { kind: 'CLIENT', attributes, agoMs: queryDurationMillis })
  if (level === 'error') span.fail(codeOf(event))
  span.end()
}

function codeOf(event: object): string {
  const { code } = ('error' in event ? event.error : {}) as { code?: unknown }
  return typeof code === 'string' ? code : 'error'
}

/** `timeoutMs` is the time in which a request is rejected if PostgreSQL does not respond. */
export type DatabaseSettings =
  | { kind: 'sqlite'; directory: string }
  | { kind: 'postgres'; url: string; connections: number; timeoutMs: number }

export type Migrations = Record<string, Migration>

/** Applied in the order of their names. A released migration never changes. */
export const MIGRATIONS: Migrations = { '0001-initial-schema': initialSchema }

/**
 * Opens the database and brings its schema up to date. Safe with several processes starting together:
 * one migrates, the others wait for it.
 * A database that a newer release has migrated is used as it is, or rejected with `UnusableDatabase`.
 * `onError` is called when an idle connection breaks, which would otherwise crash the process.
 */
export async function openDatabase(
  settings: DatabaseSettings,
  onError: (error: Error) => void,
  release = 'unknown',
  onSlow?: OnSlowStatement,
): Promise<Database> {
  if (settings.kind === 'sqlite') {
    const log = statementLogger('sqlite', onSlow)
    return migrated(new Kysely<GuardedSchema>({ dialect: sqliteDialect(settings.directory), log }), release)
  }
  // Loaded on demand, since most installations use the embedded database.
  const { patientPostgresDialect, postgresDialect } = await import('./postgres.ts')
  const patient = await migrated(new Kysely<GuardedSchema>({ dialect: patientPostgresDialect(settings.url, onError) }), release)
  await patient.destroy()
  const { dialect, levels } = postgresDialect(settings, onError)
  const database = new Kysely<GuardedSchema>({ dialect, log: statementLogger('postgresql', onSlow) })
  levelsOf.set(database, levels)
  return database
}

const levelsOf = new WeakMap<Database, () => ConnectionLevels>()

/** The connections of `openDatabase`; `null` for SQLite. */
export function connectionLevels(database: Database): ConnectionLevels | null {
  return levelsOf.get(database)?.() ?? null
}

/** Opens a separate connection for long reads of a migrated database; the next statement replaces one that broke while idle. */
export async function openReader(settings: DatabaseSettings): Promise<Database> {
  if (settings.kind === 'sqlite') return new Kysely<GuardedSchema>({ dialect: sqliteDialect(settings.directory) })
  const { patientPostgresDialect } = await import('./postgres.ts')
  return new Kysely<GuardedSchema>({ dialect: patientPostgresDialect(settings.url, () => undefined) })
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

/**
 * How many migrations the database has and lacks. Changes nothing.
 * @throws {UnusableDatabase} if only another release can use it.
 */
export async function countMigrations(database: Database): Promise<{ applied: number; pending: number }> {
  const names = Object.keys(MIGRATIONS)
  await isNewer(database, names)
  const applied = await appliedMigrations(database)
  return { applied: applied.length, pending: names.filter((name) => !applied.includes(name)).length }
}

function sqliteDialect(directory: string): NodeSqliteDialect {
  return new NodeSqliteDialect(join(directory, 'parley.db'))
}

async function migrate(database: Database, release: string): Promise<void> {
  await migrateTables(database, MIGRATIONS)
  await recordRelease(database, release)
}

/** Applies the migrations that a database lacks. */
export async function migrateTables(database: Database, migrations: Migrations): Promise<void> {
  const migrator = new Migrator({ db: database, provider: { getMigrations: async () => migrations } })
  const { error } = await migrator.migrateToLatest()
  if (error) throw error instanceof Error ? error : new Error('Migrating the database failed', { cause: error })
}
