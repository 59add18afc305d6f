import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Database } from '../../src/server/store/engine/database.ts'
import { type DatabaseSettings, openDatabase } from '../../src/server/store/engine/open-database.ts'
import type { TestDatabase } from './databases.ts'
import { createMigratedDatabase } from './postgres.ts'

export interface OpenedDatabase {
  database: Database
  settings: DatabaseSettings
  /** Closes and deletes the database. */
  remove(): Promise<void>
}

/** Opens an empty, migrated database of the kind, without a server. */
export async function openTestDatabase(kind: TestDatabase): Promise<OpenedDatabase> {
  const place = kind === 'postgres' ? await onPostgres() : inFolder()
  const database = await openDatabase(place.settings, (error) => {
    throw error
  })
  return {
    database,
    settings: place.settings,
    remove: async () => {
      await database.destroy()
      await place.remove()
    },
  }
}

async function onPostgres(): Promise<{ settings: DatabaseSettings; remove: () => Promise<void> }> {
  const created = await createMigratedDatabase()
  return { settings: { kind: 'postgres', url: created.url, connections: 10, timeoutMs: 20_000 }, remove: () => created.drop() }
}

function inFolder(): { settings: DatabaseSettings; remove: () => Promise<void> } {
  const directory = mkdtempSync(join(tmpdir(), 'parley-store-'))
  return { settings: { kind: 'sqlite', directory }, remove: async () => rmSync(directory, { recursive: true }) }
}
