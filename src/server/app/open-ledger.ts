import { setTimeout as wait } from 'node:timers/promises'
import { type Settings, SettingsError } from '../config/config.ts'
import type { Database } from '../store/engine/database.ts'
import { newestTime } from '../store/engine/installation-facts.ts'
import { ErasureLedger } from '../visitors/erasure-ledger.ts'

/** A running process stores the time every ten seconds. */
const OBSERVED_MS = 12_000
const POLL_MS = 500

interface LedgerParts {
  database: Database
  key: string
  now: () => number
  log: { warn(message: string): void; warn(context: object, message: string): void }
  pause?: (ms: number) => Promise<unknown>
}

/** Opens the ledger and deletes again what an older database brought back. @throws {SettingsError} if it is another's. */
export async function openLedger(
  { ledger: settings }: Pick<Settings, 'ledger'>,
  { database, key, now, log, pause = wait }: LedgerParts,
): Promise<ErasureLedger> {
  const ledger = await ErasureLedger.open({ ...settings, installationKey: key, now })
  if (!(await ledger.belongsTo(database))) {
    log.warn('The database was used with another ledger of erasures; checking for twelve seconds whether another process uses it')
    if (await isUsedByOthers(database, pause))
      throw new SettingsError(
        `Another process uses the database with another ledger of erasures than ${settings.directory}: set ERASURE_LEDGER to a folder that all processes share.`,
      )
    log.warn(
      'No other process uses the database, so this ledger of erasures is used from now on; if you have the former one, stop the server, put it back and start again',
    )
    await ledger.adopt(database)
  }
  const erased = await ledger.replay(database)
  if (erased > 0) log.warn({ erased }, 'The database was older than the ledger of erasures; what visitors had deleted is deleted again')
  return ledger
}

/** Whether another process stores the time. Takes twelve seconds if none does. */
async function isUsedByOthers(database: Database, pause: (ms: number) => Promise<unknown>): Promise<boolean> {
  const before = await newestTime(database)
  for (let waitedMs = 0; waitedMs < OBSERVED_MS; waitedMs += POLL_MS) {
    await pause(POLL_MS)
    if ((await newestTime(database)) !== before) return true
  }
  return false
}
