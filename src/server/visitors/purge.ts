import { setTimeout as pause } from 'node:timers/promises'
import type { Database } from '../store/database.ts'
import { removeDeletedText } from '../store/deleted-text.ts'
import { purgeIdempotencyKeys } from '../store/idempotency.ts'
import { purgeAccounts } from '../store/budgets.ts'
import { purgePendingFiles } from '../store/files.ts'
import { purgeCounts } from '../store/quotas.ts'
import { purgeEndedKeys, purgeSessions, purgeTemporarySessions, purgeTransfers, purgeVisitors } from '../store/retention.ts'
import { purgeShares } from '../store/shares.ts'
import { purgeSealedKeys } from '../store/visitors.ts'
import { RECOVERABLE_MS } from './first-keys.ts'
import type { RetentionClock } from './retention-clock.ts'
import { ATTEMPTS_WINDOW_MS } from './transfer/transfer-limits.ts'

/** A request can be repeated within this time. */
const IDEMPOTENCY_KEY_LIFE_MS = 24 * 60 * 60 * 1000
/** Unused files are deleted after this time. */
const WAITING_FILE_LIFE_MS = 60 * 60 * 1000
const PURGE_INTERVAL_MS = 10 * 60 * 1000
/** Interval of the sweep, which reads small partial indexes. */
const SWEEP_INTERVAL_MS = 10_000
/** A temporary chat stays readable for this long after its turn has ended: under a minute, including the sweep interval. */
const TEMPORARY_KEPT_MS = 40_000
/** Rows deleted per transaction; small, because prompts wait for it. */
const BATCH = 50
/** Visitors checked per step, which takes a few milliseconds. Most of them are not deleted. */
const VISITORS_A_STEP = 200
/** Pause between batches, for other database work. */
const BATCH_PAUSE_MS = 50

/**
 * Deletes sessions without activity for `retentionMs`, visitors of that age without sessions, expired idempotency keys and unused files.
 * Returns the number of deleted sessions.
 */
export async function purge(database: Database, retentionMs: number, now: number, signal?: AbortSignal): Promise<number> {
  const sessions = await inBatches((limit) => purgeSessions(database, now - retentionMs, limit), signal)
  const visitors = await purgeAllVisitors(database, now - retentionMs, signal)
  await inBatches((limit) => purgeCounts(database, now, limit), signal)
  await inBatches((limit) => purgeAccounts(database, now, limit), signal)
  await inBatches((limit) => purgeIdempotencyKeys(database, now - IDEMPOTENCY_KEY_LIFE_MS, limit), signal)
  const files = await inBatches((limit) => purgePendingFiles(database, now - WAITING_FILE_LIFE_MS, limit), signal)
  if (sessions + visitors + files > 0) await removeDeletedText(database)
  return sessions
}

/** Deletes ended temporary chats, data of expired shared computers, and expired codes and links. */
export async function sweep(database: Database, now: number, signal?: AbortSignal): Promise<void> {
  const temporary = await inBatches((limit) => purgeTemporarySessions(database, now - TEMPORARY_KEPT_MS, limit), signal)
  const keys = await inBatches((limit) => purgeEndedKeys(database, now, limit), signal)
  await purgeTransfers(database, now, now - ATTEMPTS_WINDOW_MS)
  await purgeSealedKeys(database, now - RECOVERABLE_MS)
  const shares = await purgeShares(database, now)
  if (temporary + keys + shares > 0) await removeDeletedText(database)
}

/** Purges now and every 10 minutes, and sweeps every 10 seconds. Returns a function that stops both. */
export function startPurge(options: {
  database: Database
  retentionMs: number
  clock: Pick<RetentionClock, 'now' | 'record'>
  onFault: (message: string, cause: unknown) => void
}): () => Promise<void> {
  const { database, retentionMs, clock, onFault } = options
  const sweepOnTime = async (signal: AbortSignal) => {
    await clock.record()
    await sweep(database, clock.now(), signal)
  }
  const stops = [
    repeat(PURGE_INTERVAL_MS, (signal) => purge(database, retentionMs, clock.now(), signal), onFault),
    repeat(SWEEP_INTERVAL_MS, sweepOnTime, onFault),
  ]
  return async () => {
    await Promise.all(stops.map((stop) => stop()))
  }
}

/** Deletes in batches until nothing is left. */
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

/** Runs now and after each interval, never concurrently. */
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
