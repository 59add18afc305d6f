import { join } from 'node:path'
import { backup, DatabaseSync } from 'node:sqlite'
import { TABLE_OWNERSHIP } from '../engine/table-ownership.ts'

/** 8 MB, after which progress is reported. */
const PAGES_PER_STEP = 2_000

export interface Contents {
  /** Names of the applied migrations, in their order. */
  migrations: string[]
  rows: Record<string, number>
}

const TABLES = Object.keys(TABLE_OWNERSHIP)

/** Copies a data folder's database as it is at one moment, also while servers write. `onProgress` gets the share that is copied. */
export async function copySqlite(directory: string, file: string, onProgress: (share: number) => void): Promise<void> {
  using source = new DatabaseSync(join(directory, 'parley.db'), { timeout: 5_000 })
  source.exec('BEGIN')
  source.prepare('SELECT count(*) FROM sqlite_schema').get()
  await backup(source, file, {
    rate: PAGES_PER_STEP,
    progress: ({ totalPages, remainingPages }) => onProgress(1 - remainingPages / totalPages),
  })
  source.exec('ROLLBACK')
}

/** Contents of a database file. @throws {Error} if it is damaged. */
export function inspectSqlite(file: string): Contents {
  using database = new DatabaseSync(file)
  const problems = [...database.prepare('PRAGMA integrity_check(1)').all(), ...database.prepare('PRAGMA foreign_key_check').all()]
  if (problems.length !== 1 || problems[0]?.['integrity_check'] !== 'ok')
    throw new Error(`The database is damaged: ${JSON.stringify(problems[0])}`)
  const migrations = database.prepare('SELECT name FROM kysely_migration ORDER BY name').all()
  const present = new Set(
    database
      .prepare("SELECT name FROM sqlite_schema WHERE type = 'table'")
      .all()
      .map(({ name }) => name),
  )
  const rows = TABLES.filter((table) => present.has(table)).map((table) => [
    table,
    Number(database.prepare(`SELECT count(*) AS count FROM ${table}`).get()?.['count']),
  ])
  return { migrations: migrations.map(({ name }) => String(name)), rows: Object.fromEntries(rows) as Record<string, number> }
}
