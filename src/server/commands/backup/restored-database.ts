import { createWriteStream, existsSync } from 'node:fs'
import { mkdir, mkdtemp, rename, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { type Settings, SettingsError } from '../../config/config.ts'
import { type Contents, inspectSqlite } from '../../store/backup/copy-sqlite.ts'
import { exportSqlite, importSqlite } from '../../store/backup/sqlite-rows.ts'
import type { Staged } from '../../store/backup/import-postgres.ts'
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

/** A restored database at a temporary place, which `close` deletes if it has not been activated. */
export type RestoredDatabase = Omit<Staged, 'migrate' | 'lines'> & { lines(): AsyncIterable<string> | Iterable<string> }

export interface ExportedRows {
  contents: Contents
  lines: AsyncIterable<string>
}

export interface RestoreTarget {
  /** Names the place, without credentials. */
  name: string
  /** @throws {SettingsError} if a server uses it. */
  assertStopped(): Promise<void>
  isEmpty(): Promise<boolean>
  restore(archive: Archive, options: { rehearse: boolean }): Promise<RestoredDatabase>
  stageRows(rows: ExportedRows): Promise<RestoredDatabase>
}

export function prepareTarget({ database, dataDirectory }: Pick<Settings, 'database' | 'dataDirectory'>): RestoreTarget {
  return database.kind === 'sqlite' ? sqliteTarget(dataDirectory) : postgresTarget(database.url)
}

const FILES = ['parley.db', 'parley.db-wal', 'parley.db-shm']

function sqliteTarget(directory: string): RestoreTarget {
  const stage = async (write: (place: string) => Promise<void>, rehearse = false) => {
    const place = rehearse ? await mkdtemp(join(tmpdir(), 'parley-rehearsal-')) : join(directory, 'restore')
    const close = () => rm(place, { recursive: true, force: true })
    // What an interrupted restore left.
    if (!rehearse) await close()
    await mkdir(place, { recursive: true, mode: 0o700 })
    try {
      await write(place)
      return await openRestored(directory, place, inspected(join(place, 'parley.db')), close)
    } catch (error) {
      await close()
      throw error
    }
  }
  return {
    name: `the database in ${directory}`,
    async assertStopped() {
      if (await ProcessSlots.isAnyTaken(directory)) throw new SettingsError(`A server runs on ${directory}: stop it first.`)
    },
    isEmpty: async () => !existsSync(join(directory, 'parley.db')),
    restore: (archive, { rehearse }) =>
      stage((place) => pipeline(archive.payload(), createWriteStream(join(place, 'parley.db'), { mode: 0o600, flush: true })), rehearse),
    stageRows: ({ lines }) => stage((place) => importSqlite(place, lines)),
  }
}

async function openRestored(directory: string, place: string, contents: Contents, remove: () => Promise<void>): Promise<RestoredDatabase> {
  const database = await openReader({ kind: 'sqlite', directory: place })
  let isOpen = true
  const closeDatabase = async () => {
    if (isOpen) await database.destroy()
    isOpen = false
  }
  return {
    database,
    contents,
    lines: () => exportSqlite(place, contents),
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
  const { host, pathname } = new URL(url)
  const name = `the database postgres://${host}${pathname}`
  const store = () => import('../../store/backup/import-postgres.ts')
  const stageRows = async (rows: ExportedRows) => (await store()).stagePostgres(url, rows)
  return {
    name,
    async assertStopped() {
      const { connections } = await (await store()).inspectPostgres(url)
      if (connections > 0) throw new SettingsError(`${connections} other connections use ${name}: stop every process of Parley first.`)
    },
    isEmpty: async () => (await (await store()).inspectPostgres(url)).isEmpty,
    restore: (archive) => stageRows({ contents: archive.header, lines: splitLines(archive.payload().setEncoding('utf8')) }),
    stageRows,
  }
}
