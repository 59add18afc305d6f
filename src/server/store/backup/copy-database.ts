import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { type Database, isEmbedded } from '../engine/database.ts'
import { databaseBytes } from '../visitors/installation-counts.ts'
import { type DatabaseSettings, migrateTables, type Migrations, openReader } from '../engine/open-database.ts'
import { copySqlite, inspectSqlite } from './copy-sqlite.ts'
import type { Staged } from './import-postgres.ts'

/** A copy of a database, which nothing uses. */
export type DatabaseCopy = Pick<Staged, 'database' | 'contents' | 'migrate' | 'close'>

/** Copies a database, also while servers use it: to a temporary folder, or to another schema of PostgreSQL. */
export async function copyDatabase(
  settings: DatabaseSettings,
  migrations: Migrations,
  onProgress: (share: number) => void,
): Promise<DatabaseCopy> {
  if (settings.kind === 'sqlite') return copyToFolder(settings.directory, migrations, onProgress)
  const { exportPostgres } = await import('./export-postgres.ts')
  const { stagePostgres } = await import('./import-postgres.ts')
  const source = await exportPostgres(settings.url, onProgress)
  try {
    return await stagePostgres(settings.url, { contents: source.contents, lines: source.lines(), migrations })
  } finally {
    await source.close()
  }
}

async function copyToFolder(directory: string, migrations: Migrations, onProgress: (share: number) => void): Promise<DatabaseCopy> {
  const place = await mkdtemp(join(tmpdir(), 'parley-copy-'))
  const remove = () => rm(place, { recursive: true, force: true })
  try {
    const file = join(place, 'parley.db')
    await copySqlite(directory, file, onProgress)
    const contents = inspectSqlite(file)
    const database = await openReader({ kind: 'sqlite', directory: place })
    return {
      database,
      contents,
      migrate: () => migrateTables(database, migrations),
      async close() {
        await database.destroy()
        await remove()
      },
    }
  } catch (error) {
    await remove()
    throw error
  }
}

/** Size of all tables with their indexes. */
export async function sizeOfTables(database: Database): Promise<number> {
  if (isEmbedded(database)) return databaseBytes(database)
  const size = await sql<{ bytes: number }>`
    select coalesce(sum(pg_total_relation_size(oid)), 0) as bytes from pg_class
    where relkind = 'r' and relnamespace = current_schema()::regnamespace`.execute(database)
  return Number(size.rows[0]?.bytes)
}
