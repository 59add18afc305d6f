import type { Database } from '../store/database.ts'
import { endTurn, listStaleTurns, touchTurns } from '../store/turns.ts'
import { newMessageId } from './ids.ts'

const HEARTBEAT_INTERVAL_MS = 5_000
// Well above HEARTBEAT_INTERVAL_MS, or a live turn is ended between two beats.
const STALE_AFTER_MS = 30_000
const MAX_TURNS_A_SWEEP = 100

/** Ends, as interrupted, up to 100 turns whose process has not been heard of for 30 s. Returns how many. */
export async function reapStaleTurns(database: Database, now: number): Promise<number> {
  const stale = await listStaleTurns(database, now - STALE_AFTER_MS, MAX_TURNS_A_SWEEP)
  let reaped = 0
  for (const { id, sessionId } of stale) {
    const metadata = { sessionId, turnId: id, status: 'interrupted', code: 'shutting_down' } as const
    const answer = { id: newMessageId(), role: 'assistant' as const, parts: [], metadata }
    if (await endTurn(database, id, { status: 'interrupted', code: 'shutting_down', answer }, now)) reaped += 1
  }
  return reaped
}

/** Says every 5 s that this process and its turns are alive, and ends those of processes that are not. Returns how to stop. */
export function startReaper(options: {
  database: Database
  instance: string
  now: () => number
  onFault: (message: string, cause: unknown) => void
}): () => Promise<void> {
  const { database, instance, now, onFault } = options
  let beat: Promise<void> | null = null
  const timer = setInterval(() => {
    // A beat that the database holds up is not joined by another.
    beat ??= sweep().finally(() => {
      beat = null
    })
  }, HEARTBEAT_INTERVAL_MS)
  timer.unref()
  return async () => {
    clearInterval(timer)
    await beat
  }

  async function sweep(): Promise<void> {
    try {
      await touchTurns(database, instance, now())
      await reapStaleTurns(database, now())
    } catch (error) {
      onFault('Turns could not be swept', error)
    }
  }
}
