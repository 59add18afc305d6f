import { rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { BackupHeader } from '../../../contract/backup-header.ts'
import { SettingsError } from '../../config/config.ts'
import { existingInstallationKey, UnsafeKeyFile } from '../../visitors/installation-key.ts'
import type { BackupContext } from './backup-context.ts'
import { openKey, proofOfKey } from './seal-key.ts'

/**
 * The installation key of a backup: the one that this installation has, or the sealed one.
 * @throws {SettingsError} if there is none that fits.
 */
export async function keyOfBackup({ key, keyProof }: BackupHeader, context: BackupContext): Promise<string> {
  const { installationKey, dataDirectory } = context.settings
  const existing = await existingInstallationKey(installationKey, dataDirectory).catch((error: unknown) => {
    // A restore replaces it.
    if (!(error instanceof UnsafeKeyFile)) throw error
  })
  if (existing !== undefined && proofOfKey(existing) === keyProof) return existing
  if (installationKey !== null)
    throw new SettingsError('INSTALLATION_KEY is not the key of the backup: set it to that key, or leave it out to restore the sealed one.')
  return key === null ? askForKey(keyProof, context) : unsealed(key, context)
}

async function unsealed(key: NonNullable<BackupHeader['key']>, { settings, ask }: BackupContext): Promise<string> {
  const passphrase = settings.backupPassphrase ?? (await ask('Passphrase of the backup: '))
  if (passphrase === undefined)
    throw new SettingsError('Set BACKUP_PASSPHRASE to the passphrase that sealed the installation key in this backup.')
  const opened = await openKey(key, passphrase)
  if (opened === undefined) throw new SettingsError('The passphrase is not the one that sealed the installation key in this backup.')
  return opened
}

async function askForKey(keyProof: string, { ask }: BackupContext): Promise<string> {
  const key = await ask('Installation key of the backup: ')
  if (key === undefined)
    throw new SettingsError('The backup has no installation key: set INSTALLATION_KEY to the one that it was made with.')
  if (proofOfKey(key) !== keyProof) throw new SettingsError('That is not the installation key of the backup.')
  return key
}

/** Stores a restored key, unless the settings contain it. */
export async function storeKey(key: string, { settings }: BackupContext): Promise<void> {
  if (settings.installationKey !== null) return
  const file = join(settings.dataDirectory, 'installation.key')
  const draft = `${file}.restored`
  await rm(draft, { force: true })
  await writeFile(draft, `${key}\n`, { mode: 0o600, flush: true })
  await rename(draft, file)
}
