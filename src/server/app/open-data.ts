import type { Settings } from '../config/config.ts'
import { DATABASE_OUTAGE, Outage } from '../platform/outage.ts'
import type { Server } from '../platform/server.ts'
import { steadyClock } from '../limits/steady-clock.ts'
import { isOutage } from '../store/engine/storage-fault.ts'
import { ProcessSlots } from '../turns/process-slots.ts'
import { openDataDirectory } from './data-directory.ts'
import { openLedger } from './open-ledger.ts'
import { openRuntimeLimits } from './open-runtime-limits.ts'
import { openStore } from './open-store.ts'
import { createPubSub } from './optional-parts.ts'
import type { ProblemLog } from './health/problem-log.ts'
import { openRetentionClock } from './health/readiness.ts'
import { settleAcceptances } from './staff-reading.ts'

export interface DataParts {
  /** Logs, and answers 503 while the database is away. */
  app: Server
  problemLog: ProblemLog
  release: string
}

export type OpenData = Awaited<ReturnType<typeof openData>>

/** Opens what is stored, and what agrees with other processes about it. */
export async function openData(settings: Settings, { app, problemLog, release }: DataParts) {
  const { log } = app
  const now = Date.now
  const steadyNow = steadyClock({ wall: now, monotonic: () => performance.now() })
  const onFault = faultLogger(app)
  const key = await openDataDirectory(settings)
  const database = await openStore(settings, (error) => onFault('A database connection failed; the pool opens a new one', error), release)
  problemLog.start(database)
  const ledger = await openLedger(settings, { database, key, now, log })
  await settleAcceptances(settings, { ledger, database, now })
  const clock = await openRetentionClock(settings, database, steadyNow, log)
  // A write, since a database may serve reads alone.
  app.storageOutage = new Outage({ messages: DATABASE_OUTAGE, check: () => clock.record(), log })
  const pubsub = await createPubSub(settings.redisUrl, log)
  const runtimeLimits = await openRuntimeLimits(settings, { database, now, onFault })
  const slots = await ProcessSlots.take(settings.dataDirectory)
  return { database, key, ledger, clock, pubsub, runtimeLimits, slots, now, steadyNow, onFault }
}

/** Logs faults of background work. Those of an outage of the database are one line together. */
function faultLogger(app: Server): (message: string, cause: unknown, context?: object) => void {
  return (message, cause, context) => {
    if (app.storageOutage && isOutage(cause)) app.storageOutage.failed(cause, { ...context, failed: message })
    else app.log.error({ err: cause, ...context }, message)
  }
}
