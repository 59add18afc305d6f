import type { Settings } from '../config/config.ts'
import { AuditLog } from '../staff/audit.ts'
import { existingInstallationKey } from '../visitors/installation-key.ts'

/** The audit log for a command; `null` where the installation has no key yet, or another machine keeps it. */
export async function openAudit({ installationKey, dataDirectory, ledger }: Settings): Promise<AuditLog | null> {
  const key = await existingInstallationKey(installationKey, dataDirectory)
  return key === undefined ? null : new AuditLog(key, ledger.directory)
}
