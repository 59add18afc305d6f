import { Kysely, PostgresDialect } from 'kysely'
import { Migrator } from 'kysely/migration'
import pg from 'pg'
import type { Database } from '../engine/database.ts'
import { MIGRATIONS, type Migrations } from '../engine/open-database.ts'
import { POSTGRES_TYPES } from '../engine/postgres.ts'
import type { GuardedSchema } from '../engine/schema/schema.ts'
import { TABLE_OWNERSHIP } from '../engine/table-ownership.ts'
import type { Contents } from './copy-sqlite.ts'
import { connectPostgres, exportedLines, postgresContents } from './export-postgres.ts'
import { tableOfLine } from './row-lines.ts'

/** Schema beside the one in use, in which a restore is prepared. */
const STAGING = 'parley_restore'
/** Rows per statement, below this many characters. */
const BATCH_ROWS = 200
const BATCH_CHARACTERS = 4 * 1024 * 1024

/** A restored database in a schema of its own, which nothing uses yet. */
export interface Staged {
  database: Database
  contents: Contents
  /** All rows, as an export has them. */
  lines(): AsyncGenerator<string>
  migrate(): Promise<void>
  /** Replaces the tables in use, in one transaction. */
  activate(): Promise<void>
  close(): Promise<void>
}

/** Whether the database has no tables, also none of another program, and how many other connections use it. */
export async function inspectPostgres(url: string): Promise<{ isEmpty: boolean; connections: number }> {
  const client = await connectPostgres(url)
  try {
    const { rows } = await client.query<{ tables: string; count: string }>(
      `SELECT (SELECT count(*) FROM pg_tables WHERE schemaname = current_schema()) AS tables, count(*) AS count FROM pg_stat_activity
       WHERE datname = current_database() AND usename = current_user AND pid <> pg_backend_pid() AND backend_type = 'client backend'`,
    )
    return { isEmpty: Number(rows[0]?.tables) === 0, connections: Number(rows[0]?.count) }
  } finally {
    await client.end()
  }
}

/** Source of a restore. `lines` are those of an export. */
export interface StagedSource {
  contents: Pick<Contents, 'migrations'>
  lines: AsyncIterable<string>
  migrations?: Migrations
}

/** Restores an export into a new schema, with the migrations that it had. */
export async function stagePostgres(url: string, { contents, lines, migrations = MIGRATIONS }: StagedSource): Promise<Staged> {
  const last = contents.migrations.at(-1)
  if (last === undefined || !Object.hasOwn(migrations, last))
    throw new Error('The database belongs to another release of Parley, or is empty')
  const client = await connectPostgres(url)
  const pool = new pg.Pool({ connectionString: url, max: 1, types: POSTGRES_TYPES })
  pool.on('error', () => undefined)
  pool.on('connect', (connection) => void connection.query(`SET search_path TO ${STAGING}`).catch(() => undefined))
  const database = new Kysely<GuardedSchema>({ dialect: new PostgresDialect({ pool }) })
  const migrator = new Migrator({ db: database, provider: { getMigrations: async () => migrations }, migrationTableSchema: STAGING })
  const target = (await client.query<{ schema: string }>('SELECT current_schema() AS schema')).rows[0]!.schema
  const close = async () => {
    await database.destroy()
    try {
      await client.query(`DROP SCHEMA IF EXISTS ${STAGING} CASCADE`)
    } finally {
      await client.end()
    }
  }
  try {
    await client.query(`DROP SCHEMA IF EXISTS ${STAGING} CASCADE`)
    await client.query(`CREATE SCHEMA ${STAGING}`)
    await client.query(`SET search_path TO ${STAGING}`)
    throwOn(await migrator.migrateTo(last))
    await importLines(client, lines)
    const imported = await postgresContents(client)
    return {
      database,
      contents: imported,
      async *lines() {
        await client.query('BEGIN READ ONLY')
        yield* exportedLines(client, imported, () => undefined)
        await client.query('COMMIT')
      },
      migrate: async () => throwOn(await migrator.migrateToLatest()),
      activate: () => activate(client, target),
      close,
    }
  } catch (error) {
    await close()
    throw error
  }
}

function throwOn({ error }: { error?: unknown }): void {
  if (error) throw error instanceof Error ? error : new Error('Creating the tables failed', { cause: error })
}

async function importLines(client: pg.Client, lines: AsyncIterable<string>): Promise<void> {
  let table: string | undefined
  let batch: string[] = []
  let characters = 0
  const flush = async () => {
    if (table === undefined || batch.length === 0) return
    await client.query(`INSERT INTO ${table} SELECT * FROM json_populate_recordset(null::${table}, $1::json)`, [`[${batch.join(',')}]`])
    batch = []
    characters = 0
  }
  await client.query('BEGIN')
  for await (const text of lines) {
    const line = text.trimEnd()
    const next = tableOfLine(line)
    if (next === undefined) {
      batch.push(line)
      characters += line.length
      if (batch.length >= BATCH_ROWS || characters > BATCH_CHARACTERS) await flush()
    } else {
      await flush()
      if (!Object.hasOwn(TABLE_OWNERSHIP, next)) throw new Error(`The backup has a table that this release doesn't know: ${next}`)
      table = next
      // The tables may have rows of their own from the migrations.
      await client.query(`DELETE FROM ${table}`)
    }
  }
  await flush()
  await client.query('COMMIT')
}

async function activate(client: pg.Client, target: string): Promise<void> {
  const tables = await client.query<{ name: string }>('SELECT tablename AS name FROM pg_tables WHERE schemaname = $1', [STAGING])
  const schema = client.escapeIdentifier(target)
  await client.query('BEGIN')
  const names = tables.rows.map(({ name }) => client.escapeIdentifier(name))
  for (const name of names) await client.query(`DROP TABLE IF EXISTS ${schema}.${name} CASCADE`)
  for (const name of names) await client.query(`ALTER TABLE ${STAGING}.${name} SET SCHEMA ${schema}`)
  await client.query('COMMIT')
}
