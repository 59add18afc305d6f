import { createWriteStream, existsSync } from 'node:fs'
import { mkdir, mkdtemp, rename, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { type Settings, SettingsError } from '../../config/config.ts'
import { type Contents, inspectSqlite } from '../../store/backup/copy-sqlite.ts'
import type { Database } from '../../store/engine/database.ts'
import { openReader } from '../../store/engine/open-database.ts'
import { ProcessSlots } from '../../turns/process-slots.ts'
import { type Archive, UnusableBackup } from './archive.ts'

/** The lines of a text, without their ends. Splits at line feeds alone: JSON may contain other line separators. */
async function* splitLines(chunks: AsyncIterable<string>): AsyncGenerator<string> {
  let pending: string[] = []
  for await (const chunk of chunks) {
    const [first = '', ...others] = chunk.split('\n')
    pending.push(first)
    for (const next of others) {
      yield pending.join('')
      pending = [next]
    }
  }
  const last = pending.join('')
  if (last !== '') yield last
}

/** A restored database at a temporary place. */
export interface RestoredDatabase {
  database: Database
  contents: Contents
  /** Puts it in the place of the database of the settings. */
  activate(): Promise<void>
  /** Deletes it if it has not been activated. */
  close(): Promise<void>
}

/** Where a restore goes. */
export interface RestoreTarget {
  /** @throws {SettingsError} if a server uses the target, or if it isn't empty and must not be replaced. */
  assertUnused(options: { replace: boolean }): Promise<void>
  restore(archive: Archive, options: { rehearse: boolean }): Promise<RestoredDatabase>
}

/** The target of a restore into the configured database. */
export function prepareTarget({ database, dataDirectory }: Pick<Settings, 'database' | 'dataDirectory'>): RestoreTarget {
  return database.kind === 'sqlite' ? sqliteTarget(dataDirectory) : postgresTarget(database.url)
}

const FILES = ['parley.db', 'parley.db-wal', 'parley.db-shm']

function sqliteTarget(directory: string): RestoreTarget {
  return {
    async assertUnused({ replace }) {
      if (await ProcessSlots.isAnyTaken(directory)) throw new SettingsError(`A server runs on ${directory}: stop it first.`)
      if (!replace && existsSync(join(directory, 'parley.db')))
        throw new SettingsError(`${directory} has a database: restore into an empty folder (DATA_DIR), or replace it with --replace.`)
    },
    async restore(archive, { rehearse }) {
      const place = rehearse ? await mkdtemp(join(tmpdir(), 'parley-rehearsal-')) : join(directory, 'restore')
      const close = () => rm(place, { recursive: true, force: true })
      // What an interrupted restore left.
      if (!rehearse) await close()
      await mkdir(place, { recursive: true, mode: 0o700 })
      try {
        const file = join(place, 'parley.db')
        await pipeline(archive.payload(), createWriteStream(file, { mode: 0o600, flush: true }))
        return await openRestored(directory, place, inspected(file), close)
      } catch (error) {
        await close()
        throw error
      }
    },
  }
}

async function openRestored(directory: string, place: string, contents: Contents, remove: () => Promise<void>): Promise<RestoredDatabase> {
  const database = await openReader({ kind: 'sqlite', directory: place }, () => undefined)
  let isOpen = true
  const closeDatabase = async () => {
    if (isOpen) await database.destroy()
    isOpen = false
  }
  return {
    database,
    contents,
    async activate() {
      // The last connection copies its log into the file when it closes.
      await closeDatabase()
      // Its own log must not be applied to another file.
      for (const name of FILES) await rm(join(directory, name), { force: true })
      await rename(join(place, 'parley.db'), join(directory, 'parley.db'))
    },
    async close() {
      await closeDatabase()
      await remove()
    },
  }
}

function inspected(file: string): Contents {
  try {
    return inspectSqlite(file)
  } catch (error) {
    throw new UnusableBackup(`The database in the backup cannot be used: ${(error as Error).message}`, { cause: error })
  }
}

function postgresTarget(url: string): RestoreTarget {
  return {
    async assertUnused({ replace }) {
      const { inspectPostgres } = await import('../../store/backup/import-postgres.ts')
      const { isEmpty, connections } = await inspectPostgres(url)
      if (connections > 0)
        throw new SettingsError(`${connections} other connections use the database of DATABASE_URL: stop every process of Parley first.`)
      if (!isEmpty && !replace)
        throw new SettingsError('The database of DATABASE_URL is not empty: restore into an empty one, or replace it with --replace.')
    },
    async restore(archive) {
      const { stagePostgres } = await import('../../store/backup/import-postgres.ts')
      const lines = splitLines(archive.payload().setEncoding('utf8'))
      return stagePostgres(url, { contents: archive.header, lines })
    },
  }
}
