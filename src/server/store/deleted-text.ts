import { setTimeout as pause } from 'node:timers/promises'
import { sql, SqliteAdapter } from 'kysely'
import type { Database } from './database.ts'

/** Another connection that reads or writes keeps the log from being emptied; it is tried again. */
const TRIES = 10
const PAUSE_MS = 20

const running = new WeakMap<Database, Promise<boolean>>()

/**
 * Takes deleted text out of the files too. In SQLite's own file it is overwritten when it is deleted (`secure_delete`), but the
 * write-ahead log still holds it until it is copied and cut, which is done here. Callers at the same time share one pass.
 * Returns false when others kept the log in use all the while, and on PostgreSQL, which removes it by itself, later.
 */
export async function removeDeletedText(database: Database): Promise<boolean> {
  if (!(database.getExecutor().adapter instanceof SqliteAdapter)) return false
  // A pass that has begun may not have seen what this caller deleted.
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
