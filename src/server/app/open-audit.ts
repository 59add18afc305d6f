import type { Settings } from '../config/config.ts'
import { firstKey } from '../keys.ts'
import { AuditLog } from '../staff/audit.ts'
import { openReader } from '../store/engine/open-database.ts'
import { readRing } from '../visitors/key-ring.ts'
import { existingInstallationKey } from '../visitors/installation-key.ts'

/** The audit log for a command; `null` where the installation has no key yet, or another machine keeps it. */
export async function openAudit({ installationKey, previousKey, dataDirectory, database, ledger }: Settings): Promise<AuditLog | null> {
  const key = await existingInstallationKey(installationKey, dataDirectory)
  if (key === undefined) return null
  await using reader = await openReader(database)
  const { keys } = await readRing(reader, key, previousKey)
  return new AuditLog(firstKey(keys), ledger.directory)
}
