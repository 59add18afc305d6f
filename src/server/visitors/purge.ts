import { repeat } from '../repeat.ts'
import type { Database } from '../store/engine/database.ts'
import { removeDeletedText, removeLeftText } from '../store/engine/deleted-text.ts'
import { purgeIdempotencyKeys } from '../store/turns/idempotency.ts'
import { writeFact } from '../store/engine/installation-facts.ts'
import { EXPIRED } from '../store/sessions/session-batches.ts'
import { purgeEnded, purgeEndedKeys, purgeSessions, purgeTemporarySessions, purgeVisitors } from '../store/sessions/retention.ts'
import { forgetDeletions } from '../store/sessions/shared-deletions.ts'
import { deleteUnusedVersionTexts } from '../store/turns/turn-versions.ts'
import { purgeSealedKeys } from '../store/visitors/visitors.ts'
import { RECOVERABLE_MS } from './first-keys.ts'
import { deleteInBatches } from './delete-in-batches.ts'
import type { RetentionClock } from './retention-clock.ts'
import { paceOf, runBatches } from './run-batches.ts'

const IDEMPOTENCY_KEY_LIFE_MS = 24 * 60 * 60 * 1000
const WAITING_FILE_LIFE_MS = 60 * 60 * 1000
const PURGE_INTERVAL_MS = 10 * 60 * 1000
/** Interval of the sweep, which reads small partial indexes. */
const SWEEP_INTERVAL_MS = 10_000
/** Sweeps until the next one of what expires by the hour or day. */
const SWEEPS_A_ROUND = 6
/** A temporary chat stays readable for this long after its turn has ended: under a minute, including the sweep interval. */
const TEMPORARY_KEPT_MS = 40_000
/** A pending file, or a temporary chat with its files, can take as long to delete as this many rows. */
const ROWS_OF_FILES = 100

/** Deletes expired sessions, visitors without any, idempotency keys and unused files. Returns the number of sessions. */
export async function purge(database: Database, retentionMs: number, now: number, signal?: AbortSignal): Promise<number> {
  const inBatches = (deleteUpTo: (limit: number) => Promise<number>) => deleteInBatches(database, deleteUpTo, { signal })
  const sessions = await purgeSessionsBefore(database, now - retentionMs, signal)
  const visitors = await purgeAllVisitors(database, now - retentionMs, signal)
  await inBatches((limit) => purgeEnded(database, 'quota_counts', now, limit))
  await inBatches((limit) => purgeEnded(database, 'budgets', now, limit))
  await inBatches((limit) => purgeIdempotencyKeys(database, now - IDEMPOTENCY_KEY_LIFE_MS, limit))
  await deleteUnusedVersionTexts(database, now)
  const files = await inBatches((limit) =>
    purgeEnded(database, 'waiting_files', now - WAITING_FILE_LIFE_MS, Math.ceil(limit / ROWS_OF_FILES)),
  )
  await writeFact(database, 'last_purge', String(now))
  if (sessions + visitors + files > 0) await removeDeletedText(database)
  return sessions
}

/**
 * Deletes ended temporary chats and the rest of deleted chats, and unless it `isQuick`, data of expired shared computers, and expired codes
 * and reports.
 */
export async function sweep(
  database: Database,
  now: number,
  { signal, isQuick = false }: { signal?: AbortSignal; isQuick?: boolean } = {},
): Promise<void> {
  const inBatches = (deleteUpTo: (limit: number) => Promise<number>) => deleteInBatches(database, deleteUpTo, { signal })
  const temporary = await inBatches((limit) => purgeTemporarySessions(database, now - TEMPORARY_KEPT_MS, Math.ceil(limit / ROWS_OF_FILES)))
  const keys = isQuick ? 0 : await inBatches((limit) => purgeEndedKeys(database, now, limit))
  const sessions = await purgeSessionsBefore(database, EXPIRED, signal)
  let deleted = temporary + keys + sessions
  if (!isQuick) {
    await inBatches((limit) => purgeEnded(database, 'transfers', now, limit))
    await forgetDeletions(database, now)
    await purgeSealedKeys(database, now - RECOVERABLE_MS)
    deleted += await inBatches((limit) => purgeEnded(database, 'reports', now, limit))
  }
  if (deleted > 0) await removeDeletedText(database)
  else await removeLeftText(database)
}

async function purgeSessionsBefore(database: Database, before: number, signal: AbortSignal | undefined): Promise<number> {
  let sessions = 0
  await deleteInBatches(
    database,
    async (limit) => {
      const purged = await purgeSessions(database, before, limit)
      sessions += purged.sessions
      return purged.rows
    },
    { signal },
  )
  return sessions
}

/** Purges now and every 10 minutes, and sweeps every 10 seconds. Returns a function that stops both. */
export function startPurge(options: {
  database: Database
  retentionMs: number
  clock: Pick<RetentionClock, 'now' | 'record' | 'isDoubted'>
  /** Deletes up to so many acceptances of staff reading, where staff no longer can. */
  deleteAcceptances?: ((limit: number) => Promise<number>) | undefined
  onFault: (message: string, cause: unknown) => void
}): () => Promise<void> {
  const { database, retentionMs, clock, deleteAcceptances, onFault } = options
  let sweeps = 0
  const sweepOnTime = async (signal: AbortSignal) => {
    const isQuick = sweeps % SWEEPS_A_ROUND > 0
    if (!isQuick || clock.isDoubted) await clock.record()
    await sweep(database, clock.now(), { signal, isQuick })
    sweeps += 1
  }
  const purgeOnTime = async (signal: AbortSignal) => {
    if (deleteAcceptances) await deleteInBatches(database, deleteAcceptances, { signal })
    await purge(database, retentionMs, clock.now(), signal)
  }
  const onFailure = (error: unknown) => onFault('Purging expired data failed; the next purge tries again', error)
  const stops = [
    repeat(purgeOnTime, { intervalMs: PURGE_INTERVAL_MS, onFailure }),
    repeat(sweepOnTime, { intervalMs: SWEEP_INTERVAL_MS, onFailure }),
  ]
  return async () => {
    await Promise.all(stops.map((stop) => stop()))
  }
}

async function purgeAllVisitors(database: Database, before: number, signal: AbortSignal | undefined): Promise<number> {
  let total = 0
  let after: string | undefined = ''
  await runBatches(
    async (limit) => {
      if (after === undefined) return 0
      const { deleted, last } = await purgeVisitors(database, before, after, limit)
      total += deleted
      after = last
      return limit
    },
    { ...paceOf(database), signal },
  )
  return total
}
