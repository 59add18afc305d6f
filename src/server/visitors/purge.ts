import { setTimeout as pause } from 'node:timers/promises'
import type { Database } from '../store/database.ts'
import { removeDeletedText } from '../store/deleted-text.ts'
import { purgeIdempotencyKeys } from '../store/idempotency.ts'
import { purgeAccounts } from '../store/budgets.ts'
import { purgeWaitingFiles } from '../store/files.ts'
import { purgeCounts } from '../store/quotas.ts'
import { purgeEndedKeys, purgeSessions, purgeTemporarySessions, purgeTransfers, purgeVisitors } from '../store/retention.ts'
import { purgeShares } from '../store/shares.ts'
import { purgeSealedKeys } from '../store/visitors.ts'
import { RECOVERABLE_MS } from './first-keys.ts'
import { ATTEMPTS_WINDOW_MS } from './transfer/transfer-limits.ts'

/** A request may be repeated for this long. */
const IDEMPOTENCY_KEY_LIFE_MS = 24 * 60 * 60 * 1000
/** A file waits so long for its prompt. */
const WAITING_FILE_LIFE_MS = 60 * 60 * 1000
const PURGE_INTERVAL_MS = 10 * 60 * 1000
/** What goes soon after its end is looked for this often, through indexes that hold nothing else. */
const SWEEP_INTERVAL_MS = 10_000
/** A temporary chat stays readable for so long after its turn has ended. With the sweep's interval, less than a minute. */
const TEMPORARY_KEPT_MS = 40_000
/** Rows deleted in one transaction, so that prompts never wait long for the database. */
const BATCH = 50
/** Most visitors stay, so they are looked at in steps of this many: a few milliseconds. */
const VISITORS_A_STEP = 200
/** Between two batches, for others to have their turn. */
const BATCH_PAUSE_MS = 50

/** Deletes every session without activity for `retentionMs`, visitors as old who have none, the idempotency keys of yesterday, and files that no prompt has taken. Returns how many sessions. */
export async function purge(database: Database, retentionMs: number, now: number, signal?: AbortSignal): Promise<number> {
  const sessions = await inBatches((limit) => purgeSessions(database, now - retentionMs, limit), signal)
  const visitors = await purgeAllVisitors(database, now - retentionMs, signal)
  await inBatches((limit) => purgeCounts(database, now, limit), signal)
  await inBatches((limit) => purgeAccounts(database, now, limit), signal)
  await inBatches((limit) => purgeIdempotencyKeys(database, now - IDEMPOTENCY_KEY_LIFE_MS, limit), signal)
  const files = await inBatches((limit) => purgeWaitingFiles(database, now - WAITING_FILE_LIFE_MS, limit), signal)
  if (sessions + visitors + files > 0) await removeDeletedText(database)
  return sessions
}

/** Deletes temporary chats that have ended, what shared computers left behind, and codes and links that are over. */
export async function sweep(database: Database, now: number, signal?: AbortSignal): Promise<void> {
  const temporary = await inBatches((limit) => purgeTemporarySessions(database, now - TEMPORARY_KEPT_MS, limit), signal)
  const keys = await inBatches((limit) => purgeEndedKeys(database, now, limit), signal)
  await purgeTransfers(database, now, now - ATTEMPTS_WINDOW_MS)
  await purgeSealedKeys(database, now - RECOVERABLE_MS)
  const shares = await purgeShares(database, now)
  if (temporary + keys + shares > 0) await removeDeletedText(database)
}

/** Purges now and every 10 minutes, sweeps every 10 seconds. Returns how to stop. */
export function startPurge(options: {
  database: Database
  retentionMs: number
  now: () => number
  onFault: (message: string, cause: unknown) => void
}): () => Promise<void> {
  const { database, retentionMs, now, onFault } = options
  const stops = [
    repeat(PURGE_INTERVAL_MS, (signal) => purge(database, retentionMs, now(), signal), onFault),
    repeat(SWEEP_INTERVAL_MS, (signal) => sweep(database, now(), signal), onFault),
  ]
  return async () => {
    await Promise.all(stops.map((stop) => stop()))
  }
}

/** Deletes batch after batch until there is nothing left. */
async function inBatches(deleteUpTo: (limit: number) => Promise<number>, signal?: AbortSignal): Promise<number> {
  let total = 0
  for (;;) {
    const deleted = await deleteUpTo(BATCH)
    total += deleted
    if (deleted < BATCH || signal?.aborted) return total
    await pause(BATCH_PAUSE_MS)
  }
}

async function purgeAllVisitors(database: Database, before: number, signal?: AbortSignal): Promise<number> {
  let total = 0
  let after = ''
  for (;;) {
    const { deleted, last } = await purgeVisitors(database, before, after, VISITORS_A_STEP)
    total += deleted
    if (last === undefined || signal?.aborted) return total
    after = last
    await pause(BATCH_PAUSE_MS)
  }
}

/** Runs now and after each interval, never twice at a time. */
function repeat(
  intervalMs: number,
  work: (signal: AbortSignal) => Promise<unknown>,
  onFault: (message: string, cause: unknown) => void,
): () => Promise<void> {
  const stopping = new AbortController()
  let running: Promise<unknown> | null = null
  const run = () => {
    running ??= work(stopping.signal)
      .catch((error: unknown) => onFault('What is old could not be deleted', error))
      .finally(() => {
        running = null
      })
  }
  run()
  const timer = setInterval(run, intervalMs)
  timer.unref()
  return async () => {
    stopping.abort()
    clearInterval(timer)
    await running
  }
}
