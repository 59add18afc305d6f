import pg from 'pg'
import { TABLE_OWNERSHIP } from '../engine/table-ownership.ts'
import type { Contents } from './copy-sqlite.ts'

/** Rows per fetch; rows with the content of files are fetched one by one. */
const FETCH_ROWS = 200
const WITH_CONTENT = ['files', 'waiting_files', 'managed_versions']
const CONNECTION_TIMEOUT_MS = 10_000

export interface PostgresExport {
  contents: Contents
  /** All rows, as JSON lines after a line with their table. Each table follows those that it references. */
  lines(): AsyncGenerator<string>
  close(): Promise<void>
}

/** Exports the database as it is at one moment, in a transaction that other processes don't notice. */
export async function exportPostgres(url: string, onProgress: (share: number) => void): Promise<PostgresExport> {
  const client = await connectPostgres(url)
  try {
    await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY')
    const contents = await postgresContents(client)
    return { contents, lines: () => exportedLines(client, contents, onProgress), close: () => client.end() }
  } catch (error) {
    await client.end()
    throw error
  }
}

/** A connection without time limits for statements. */
export async function connectPostgres(url: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: CONNECTION_TIMEOUT_MS, keepAlive: true })
  // The statement reports the error; without a listener it would crash the process.
  client.on('error', () => undefined)
  await client.connect()
  return client
}

/** Applied migrations and numbers of rows in the current schema. There are none before the first start. */
export async function postgresContents(client: pg.Client): Promise<Contents> {
  const present = await client.query<{ name: string }>('SELECT tablename AS name FROM pg_tables WHERE schemaname = current_schema()')
  const names = new Set(present.rows.map(({ name }) => name))
  if (!names.has('kysely_migration')) return { migrations: [], rows: {} }
  const migrations = await client.query<{ name: string }>('SELECT name FROM kysely_migration ORDER BY name COLLATE "C"')
  const rows: Record<string, number> = {}
  for (const table of Object.keys(TABLE_OWNERSHIP).filter((name) => names.has(name))) {
    const counted = await client.query<{ count: string }>(`SELECT count(*) AS count FROM ${table}`)
    rows[table] = Number(counted.rows[0]?.count)
  }
  return { migrations: migrations.rows.map(({ name }) => name), rows }
}

export async function* exportedLines(client: pg.Client, { rows }: Contents, onProgress: (share: number) => void): AsyncGenerator<string> {
  const total = Object.values(rows).reduce((sum, count) => sum + count, 0)
  let done = 0
  for (const table of Object.keys(rows)) {
    yield `${JSON.stringify({ table })}\n`
    await client.query(`DECLARE exported NO SCROLL CURSOR FOR SELECT row_to_json(${table})::text AS line FROM ${table}`)
    const size = WITH_CONTENT.includes(table) ? 1 : FETCH_ROWS
    for (;;) {
      const fetched = await client.query<{ line: string }>(`FETCH ${size} FROM exported`)
      for (const { line } of fetched.rows) yield `${line}\n`
      done += fetched.rows.length
      onProgress(total === 0 ? 1 : done / total)
      if (fetched.rows.length < size) break
    }
    await client.query('CLOSE exported')
  }
}
