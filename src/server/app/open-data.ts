import { type Settings, SettingsError } from '../config/config.ts'
import type { Database } from '../store/engine/database.ts'
import { type OnSlowStatement, openDatabase } from '../store/engine/open-database.ts'
import { UnusableDatabase } from '../store/engine/schema-version.ts'
import { chmod, mkdir, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { firstKey, type InstallationKeys } from '../keys.ts'
import { sealModelConnection } from '../staff/model-connection.ts'
import { readRing, sealRing } from '../visitors/key-ring.ts'
import { existingInstallationKey, installationKey } from '../visitors/installation-key.ts'
import { DATABASE_OUTAGE, Outage } from '../platform/outage.ts'
import type { Server } from '../platform/server.ts'
import { openRuntimeLimits } from '../limits/runtime-limits.ts'
import { steadyClock } from '../limits/steady-clock.ts'
import { isOutage } from '../store/engine/storage-fault.ts'
import { VersionFollower } from '../store/engine/version-follower.ts'
import type { PubSub } from '../pubsub/pubsub.ts'
import { VERSIONS_TOPIC } from '../pubsub/topics.ts'
import { ProcessSlots } from '../turns/process-slots.ts'
import { openLedger } from './open-ledger.ts'
import { createPubSub } from './optional-parts.ts'
import { openRetentionClock } from './health/readiness.ts'
import { settleAcceptances } from './staff-reading.ts'

const OWN = /^(?:parley\.db(?:-wal|-shm)?|knowledge|models|erasures|folder-id|process-\d+\.lock)$/

/** Closes what an earlier start may have created with a wider mask. Another user's files are left as they are. */
async function closeToOthers(directory: string): Promise<void> {
  const entries = await readdir(directory, { withFileTypes: true })
  const own = entries.filter((entry) => OWN.test(entry.name) && !entry.isSymbolicLink())
  await Promise.allSettled(own.map((entry) => chmod(join(directory, entry.name), entry.isDirectory() ? 0o700 : 0o600)))
}

const POLL_INTERVAL_MS = 800
/** Finds what commands have changed, and changes of which a message was lost. */
const TRUSTED_POLL_INTERVAL_MS = 10_000

export type OpenData = Awaited<ReturnType<typeof openData>>

/** @throws {SettingsError} if only another release can use the database, or another ledger belongs to it. */
export async function openData(settings: Settings, { app, release }: { app: Server; release: string }) {
  const { log } = app
  const now = Date.now
  const steadyNow = steadyClock({ wall: now, monotonic: () => performance.now() })
  const onFault = faultLogger(app)
  const { dataDirectory, previousKey } = settings
  // What visitors wrote is for the server's own user only.
  await mkdir(dataDirectory, { recursive: true, mode: 0o700 })
  await closeToOthers(dataDirectory)
  const existing = await existingInstallationKey(settings.installationKey, dataDirectory)
  const onError = (error: Error) => onFault('A database connection failed; the pool opens a new one', error)
  const onSlow: OnSlowStatement = (statement, durationMs) =>
    log.warn({ statement, durationMs }, 'A statement of the database was slow. Look at the load and the disk of the database')
  const database = await openDatabase(settings.database, onError, release, onSlow).catch((error: unknown) => {
    throw error instanceof UnusableDatabase ? new SettingsError(error.message) : error
  })
  // A new key opens no former keys: where there are some, the key is lost, and the start stops before it stores another.
  if (existing === undefined) await readRing(database, 'none', previousKey)
  const key = existing ?? (await installationKey(null, dataDirectory))
  const { keys, isToSeal } = await readRing(database, key, previousKey)
  const ledger = await openLedger(settings, { database, key: firstKey(keys), now, log })
  // After the ledger, which belongs to the first key: a wrong previous key has stopped the start.
  if (isToSeal) await changeKey(database, keys)
  await settleAcceptances(settings, { ledger, database, now })
  const clock = await openRetentionClock(settings, database, steadyNow, log)
  // A write, since a database may serve reads alone.
  app.storageOutage = new Outage({ messages: DATABASE_OUTAGE, check: () => clock.record(), log })
  const pubsub = await createPubSub(settings.redis, log)
  const versions = openVersions(database, pubsub)
  const { limits, budgets, variables } = settings
  const isSet = (setting: string) => variables[setting] !== undefined
  const runtimeLimits = await openRuntimeLimits({ database, versions, environment: { limits, budgets }, isSet, onFault })
  const slots = await ProcessSlots.take(dataDirectory)
  const applyChanges = () => {
    pubsub.publishRemote([VERSIONS_TOPIC])
    return versions.poll()
  }
  const accessTime = () => clock.accessTime()
  return { database, keys, ledger, clock, pubsub, versions, applyChanges, runtimeLimits, slots, now: accessTime, steadyNow, onFault }
}

/** Seals under the current installation key all that is stored sealed. */
async function changeKey(database: Database, keys: InstallationKeys): Promise<void> {
  await database.transaction().execute(async (transaction) => {
    await sealModelConnection(transaction, keys)
    await sealRing(transaction, keys)
  })
}

/** Follows what staff change: promptly where processes hear each other, else every second. */
function openVersions(database: Database, pubsub: PubSub): VersionFollower {
  const versions = new VersionFollower({ database, intervalMs: () => (pubsub.isReliable ? TRUSTED_POLL_INTERVAL_MS : POLL_INTERVAL_MS) })
  pubsub.subscribe(VERSIONS_TOPIC, () => void versions.poll())
  pubsub.onReliabilityChange(() => void versions.poll())
  return versions
}

/** Logs faults of background work. Those of an outage of the database are one line together. */
function faultLogger(app: Server): (message: string, cause: unknown, context?: object) => void {
  return (message, cause, context) => {
    if (app.storageOutage && isOutage(cause)) app.storageOutage.failed(cause, { ...context, failed: message })
    else app.log.error({ err: cause, ...context }, message)
  }
}
