import { setTimeout as pause } from 'node:timers/promises'
import type { Database } from '../store/database.ts'
import { purgeSessions } from '../store/sessions.ts'

const DAY_MS = 24 * 60 * 60 * 1000
const PURGE_INTERVAL_MS = 60 * 60 * 1000
/** Sessions deleted in one transaction, so that prompts never wait long for the database. */
const BATCH_SESSIONS = 50
/** Between two batches, for others to have their turn. */
const BATCH_PAUSE_MS = 50

/** Deletes every session without activity for `retentionDays`. Returns how many. */
export async function purge(database: Database, retentionDays: number, now: number, signal?: AbortSignal): Promise<number> {
  let total = 0
  for (;;) {
    const deleted = await purgeSessions(database, now - retentionDays * DAY_MS, BATCH_SESSIONS)
    total += deleted
    if (deleted < BATCH_SESSIONS || signal?.aborted) return total
    await pause(BATCH_PAUSE_MS)
  }
}

/** Purges now and every hour. Returns how to stop. */
export function startPurge(options: {
  database: Database
  retentionDays: number
  now: () => number
  onFault: (message: string, cause: unknown) => void
}): () => Promise<void> {
  const { database, retentionDays, now, onFault } = options
  const stopping = new AbortController()
  let running: Promise<void> | null = null
  const run = () => {
    running ??= purge(database, retentionDays, now(), stopping.signal)
      .then(() => undefined)
      .catch((error: unknown) => onFault('Old chats could not be deleted', error))
      .finally(() => {
        running = null
      })
  }
  run()
  const timer = setInterval(run, PURGE_INTERVAL_MS)
  timer.unref()
  return async () => {
    stopping.abort()
    clearInterval(timer)
    await running
  }
}
