import { join } from 'node:path'
import { DatabaseSync, type SQLInputValue } from 'node:sqlite'
import { TABLE_OWNERSHIP } from '../engine/table-ownership.ts'
import { MIGRATIONS, migrateTables, openReader } from '../engine/open-database.ts'
import type { Contents } from './copy-sqlite.ts'
import { tableOfLine } from './row-lines.ts'

/** How PostgreSQL writes bytes. */
const BYTES_PREFIX = '\\x'

/** All rows of the database in a folder, as `exportPostgres` writes them. */
export function* exportSqlite(directory: string, { rows }: Pick<Contents, 'rows'>): Generator<string> {
  using database = new DatabaseSync(join(directory, 'parley.db'), { readOnly: true })
  for (const table of Object.keys(rows)) {
    yield JSON.stringify({ table })
    for (const row of database.prepare(`SELECT * FROM ${table}`).iterate()) yield JSON.stringify(row, withBytesAsText)
  }
}

function withBytesAsText(_: string, value: unknown): unknown {
  return value instanceof Uint8Array ? BYTES_PREFIX + Buffer.from(value).toString('hex') : value
}

export async function importSqlite(directory: string, lines: AsyncIterable<string>): Promise<void> {
  {
    await using created = await openReader({ kind: 'sqlite', directory })
    await migrateTables(created, MIGRATIONS)
  }
  // Every reference is checked at the end.
  using database = new DatabaseSync(join(directory, 'parley.db'), { enableForeignKeyConstraints: false })
  database.exec('BEGIN')
  let insert: ((row: Record<string, SQLInputValue>) => void) | undefined
  for await (const line of lines) {
    const table = tableOfLine(line.trimEnd())
    if (table === undefined) insert?.(JSON.parse(line) as Record<string, SQLInputValue>)
    else insert = inserter(database, table)
  }
  database.exec('COMMIT')
}

function inserter(database: DatabaseSync, table: string): (row: Record<string, SQLInputValue>) => void {
  if (!Object.hasOwn(TABLE_OWNERSHIP, table)) throw new Error(`The source has a table that this release doesn't know: ${table}`)
  const columns = database.prepare(`PRAGMA table_info(${table})`).all()
  // The table may have rows of its own from the migrations.
  database.exec(`DELETE FROM ${table}`)
  const names = columns.map(({ name }) => String(name))
  const bytes = columns.filter(({ type }) => /^bytea$/i.test(String(type))).map(({ name }) => String(name))
  const statement = database.prepare(`INSERT INTO ${table} (${names.join(', ')}) VALUES (${names.map(() => '?').join(', ')})`)
  return (row) => {
    for (const name of bytes) if (typeof row[name] === 'string') row[name] = Buffer.from(row[name].slice(BYTES_PREFIX.length), 'hex')
    statement.run(...names.map((name) => row[name] ?? null))
  }
}
