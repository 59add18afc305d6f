import { setTimeout as pause } from 'node:timers/promises'
import { sql, SqliteAdapter } from 'kysely'
import type { Database } from './database.ts'

/** Retries, since other connections block truncating the log. */
const TRIES = 10
const PAUSE_MS = 20

const running = new WeakMap<Database, Promise<boolean>>()

/**
 * Removes deleted text from the files. SQLite overwrites it in the main file (`secure_delete`), but the write-ahead log contains it until
 * it is checkpointed and truncated, as here. Concurrent callers share a pass.
 * Returns false if the log stayed in use, and on PostgreSQL, which vacuums later by itself.
 */
export async function removeDeletedText(database: Database): Promise<boolean> {
  if (!(database.getExecutor().adapter instanceof SqliteAdapter)) return false
  // A running pass may miss this caller's deletion.
  await running.get(database)?.catch(() => undefined)
  const pass = running.get(database) ?? emptyLog(database).finally(() => running.delete(database))
  running.set(database, pass)
  return pass
}

async function emptyLog(database: Database): Promise<boolean> {
  for (let count = 1; count <= TRIES; count += 1) {
    const { rows } = await sql<{ busy: number }>`PRAGMA wal_checkpoint(TRUNCATE)`.execute(database)
    if (rows[0]?.busy === 0) return true
    await pause(PAUSE_MS)
  }
  return false
}
