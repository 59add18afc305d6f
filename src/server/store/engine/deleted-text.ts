import { setTimeout as pause } from 'node:timers/promises'
import { sql } from 'kysely'
import { type Database, isEmbedded } from './database.ts'

/** Retries, since other connections block truncating the log. */
const TRIES = 10
const PAUSE_MS = 20

/** Databases whose log has been truncated since their last deletion. */
const truncated = new WeakSet<Database>()

const running = new WeakMap<Database, Promise<boolean>>()

/**
 * Removes deleted text from the files. SQLite overwrites it in the main file (`secure_delete`), but the write-ahead log contains it until
 * it is checkpointed and truncated, as here. Concurrent callers share a pass.
 * Returns false if the log stayed in use, and on PostgreSQL, which vacuums later by itself.
 */
export async function removeDeletedText(database: Database): Promise<boolean> {
  if (!isEmbedded(database)) return false
  // A running pass may miss this caller's deletion.
  await running.get(database)?.catch(() => undefined)
  const pass = running.get(database) ?? emptyLog(database).finally(() => running.delete(database))
  running.set(database, pass)
  return pass
}

/** Removes what `removeDeletedText` left because a backup or another process was reading, and what a crash left. */
export async function removeLeftText(database: Database): Promise<void> {
  if (!truncated.has(database)) await removeDeletedText(database)
}

async function emptyLog(database: Database): Promise<boolean> {
  truncated.delete(database)
  for (let count = 1; count <= TRIES; count += 1) {
    if (await truncateLog(database)) {
      truncated.add(database)
      return true
    }
    await pause(PAUSE_MS)
  }
  return false
}

/** Doesn't wait for readers, because SQLite would block the event loop meanwhile. */
function truncateLog(database: Database): Promise<boolean> {
  return database.connection().execute(async (connection) => {
    const { rows: timeouts } = await sql<{ timeout: number }>`PRAGMA busy_timeout`.execute(connection)
    await sql`PRAGMA busy_timeout = 0`.execute(connection)
    try {
      const { rows } = await sql<{ busy: number }>`PRAGMA wal_checkpoint(TRUNCATE)`.execute(connection)
      return rows[0]?.busy === 0
    } finally {
      await sql`PRAGMA busy_timeout = ${sql.lit(timeouts[0]?.timeout ?? 0)}`.execute(connection)
    }
  })
}
