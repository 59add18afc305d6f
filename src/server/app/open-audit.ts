import { type Settings, SettingsError } from '../config/config.ts'
import { AuditLog } from '../staff/audit.ts'
import { existingInstallationKey, UnsafeKeyFile } from '../visitors/installation-key.ts'

/** The audit log for a command; `null` where the installation has no key yet, or another machine keeps it. */
export async function openAudit({ installationKey, dataDirectory, ledger }: Settings): Promise<AuditLog | null> {
  try {
    const key = await existingInstallationKey(installationKey, dataDirectory)
    return key === undefined ? null : new AuditLog(key, ledger.directory)
  } catch (error) {
    throw error instanceof UnsafeKeyFile ? new SettingsError(error.message) : error
  }
}
