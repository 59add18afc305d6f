import { readFile, rename, rm, writeFile, mkdir, readdir, stat } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import type { BackupHeader } from '../../../contract/backup-header.ts'
import { SettingsError } from '../../config/config.ts'
import { firstKey } from '../../keys.ts'
import { readRing } from '../../visitors/key-ring.ts'
import { existingInstallationKey, UnsafeKeyFile } from '../../visitors/installation-key.ts'
import { type BackupContext, describeRows, describeBytes, OWN_BACKUP, recordTime } from './backup-context.ts'
import { openKey, proofOfKey } from './seal-key.ts'
import { existsSync } from 'node:fs'
import { parseArgs } from 'node:util'
import type { Database } from '../../store/engine/database.ts'
import { MIGRATIONS } from '../../store/engine/open-database.ts'
import { arePreviewMigrations } from '../../store/engine/schema-version.ts'
import { AuditLog } from '../../staff/audit.ts'
import { ErasureLedger } from '../../visitors/erasure-ledger.ts'
import { type CommandResult, UsageError, withUsage } from '../operator-command.ts'
import { type Archive, openArchive, UnusableBackup } from './archive.ts'
import { type RestoredDatabase, prepareTarget } from './restored-database.ts'

/** The backup's installation key: the one in place, or the sealed one. @throws {SettingsError} if none fits. */
async function keyOfBackup({ key, keyProof }: BackupHeader, context: BackupContext): Promise<string> {
  const { installationKey, dataDirectory } = context.settings
  const existing = await existingInstallationKey(installationKey, dataDirectory).catch((error: unknown) => {
    // A restore replaces it.
    if (!(error instanceof UnsafeKeyFile)) throw error
  })
  const { previousKey } = context.settings
  const known = [existing, previousKey].find((one) => typeof one === 'string' && proofOfKey(one) === keyProof)
  if (typeof known === 'string') return known
  if (installationKey !== null)
    throw new SettingsError(
      'INSTALLATION_KEY is not the key of the backup: set INSTALLATION_KEY_PREVIOUS to that key if it was changed since, or INSTALLATION_KEY to restore without the change, or leave both out to restore the sealed one.',
    )
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

/** Stores a restored key, unless the settings contain it: the next start replaces a previous one. Resolves with where another key is kept. */
async function storeKey(key: string, { settings, now }: BackupContext): Promise<string[]> {
  if (settings.installationKey !== null || key === settings.previousKey) return []
  const file = join(settings.dataDirectory, 'installation.key')
  const draft = `${file}.restored`
  await rm(draft, { force: true })
  await writeFile(draft, `${key}\n`, { mode: 0o600, flush: true })
  const isOther = existsSync(file) && (await readFile(file, 'utf8')).trim() !== key
  const kept = `${file}.until-${now()}`
  if (isOther) await rename(file, kept)
  await rename(draft, file)
  return isOther ? [`Another installation key was there, which is now ${kept}.`] : []
}

const USAGE = `Restores a backup into an empty data folder or database, while no server runs.

  parley restore <file or folder>    in a folder, the newest backup of backup --to
                 --replace           replaces the database that is there
                 --rehearse          restores to a temporary place, checks, and leaves nothing
                 --key-only          restores the installation key, and no data
`

interface Command {
  /** A backup, or a folder of `backup --to`. */
  path: string
  replace: boolean
  rehearse: boolean
  keyOnly: boolean
}

/** Runs `restore` with these arguments. Resolves with what to print and the exit code. */
export function runRestore(args: readonly string[], context: BackupContext): Promise<CommandResult> {
  return withUsage(USAGE, async () => {
    try {
      return { output: `${(await restore(commandOf(args), context)).join('\n')}\n`, exitCode: 0 }
    } catch (error) {
      if (error instanceof UnusableBackup) return { output: `${error.message}\n`, exitCode: 1 }
      throw error
    }
  })
}

function commandOf(args: readonly string[]): Command {
  const options = { replace: { type: 'boolean' }, rehearse: { type: 'boolean' }, 'key-only': { type: 'boolean' } } as const
  const { values, positionals } = parseArgs({ args: [...args], allowPositionals: true, options })
  const [file] = positionals
  if (file === undefined || positionals.length > 1) throw new UsageError('Give one backup, or a folder of them.')
  const { replace = false, rehearse = false, 'key-only': keyOnly = false } = values
  if ([replace, rehearse, keyOnly].filter(Boolean).length > 1) throw new UsageError('Give one of --replace, --rehearse and --key-only.')
  return { path: resolve(file), replace, rehearse, keyOnly }
}

async function restore({ path, replace, rehearse, keyOnly }: Command, context: BackupContext): Promise<string[]> {
  const { settings, report } = context
  const file = await backupAt(path)
  report('Verifying the backup')
  const archive = await openArchive(file)
  const { header } = archive
  if (keyOnly) return restoreKey(file, header, context)
  assertRestorable(header, context)
  const target = prepareTarget(settings)
  if (!rehearse) {
    await target.assertStopped()
    if (!replace && !(await target.isEmpty()))
      throw new SettingsError(`There is ${target.name} already: restore into an empty place, or replace it with --replace.`)
  }
  const key = await keyOfBackup(header, context)
  if (!rehearse) await mkdir(settings.dataDirectory, { recursive: true, mode: 0o700 })
  report('Restoring the database')
  const restored = await target.restore(archive, { rehearse })
  try {
    checkContents(header, restored)
    const { keys } = await readRing(restored.database, key, settings.previousKey)
    let keptKey: string[] = []
    const erasures = await eraseAgain(restored.database, firstKey(keys), context, rehearse)
    if (!rehearse) {
      await new AuditLog(firstKey(keys), settings.ledger.directory).recordRestore(restored.database, context.now())
      keptKey = await storeKey(key, context)
      await restored.activate()
    }
    const notRecorded = rehearse ? await recordTime(settings.database, 'last_rehearsal', context.now()) : []
    return [...described(file, archive, erasures, rehearse), ...keptKey, ...notRecorded]
  } finally {
    await restored.close()
  }
}

/** The newest backup of a folder, or the file itself. @throws {UnusableBackup} if the folder has none. */
async function backupAt(path: string): Promise<string> {
  if (!(await stat(path).catch(() => null))?.isDirectory()) return path
  const newest = (await readdir(path))
    .filter((name) => OWN_BACKUP.test(name))
    .toSorted()
    .at(-1)
  if (newest === undefined) throw new UnusableBackup(`${path} has no backup of parley backup --to.`)
  return join(path, newest)
}

async function restoreKey(file: string, header: BackupHeader, context: BackupContext): Promise<string[]> {
  await mkdir(context.settings.dataDirectory, { recursive: true, mode: 0o700 })
  const own = { ...context, settings: { ...context.settings, previousKey: null } }
  await prepareTarget(own.settings).assertStopped()
  const kept = await storeKey(await keyOfBackup(header, own), own)
  return [...kept, `Restored the installation key of ${file} to ${context.settings.dataDirectory}. Start the server again.`]
}

/** @throws {SettingsError} if this release or these settings can't use the backup. */
function assertRestorable({ database, migrations, release }: BackupHeader, { settings }: BackupContext): void {
  const names = { sqlite: 'the embedded database', postgres: 'PostgreSQL' }
  if (database !== settings.database.kind)
    throw new SettingsError(
      `The backup is of ${names[database]}, and the settings name ${names[settings.database.kind]}: ${database === 'sqlite' ? 'leave out' : 'set'} DATABASE_URL.`,
    )
  if (arePreviewMigrations(migrations))
    throw new SettingsError('The backup is of a preview of Parley from before 0.1.0, whose data no release can read.')
  if (!migrations.every((name) => Object.hasOwn(MIGRATIONS, name)))
    throw new SettingsError(`The backup is of a newer release of Parley: restore it with release ${release} or a later one.`)
}

/** @throws {UnusableBackup} if rows are missing. */
function checkContents(header: BackupHeader, { contents }: RestoredDatabase): void {
  for (const [table, rows] of Object.entries(header.rows))
    if (contents.rows[table] !== rows)
      throw new UnusableBackup(`The backup is damaged: ${table} has ${contents.rows[table] ?? 0} rows instead of ${rows}.`)
}

/** Deletes what visitors deleted after the backup. Resolves with a sentence. */
async function eraseAgain(database: Database, key: string, context: BackupContext, rehearse: boolean): Promise<string> {
  const { ledger: settings } = context.settings
  const { directory } = settings
  const missing = `There is no ledger of erasures in ${directory}: what visitors deleted after the backup is back. If you have a copy, put it there and restore again.`
  if (!existsSync(directory)) return missing
  const ledger = await ErasureLedger.open({ ...settings, installationKey: key, now: context.now, ...(rehearse && { days: 3650 }) })
  const erased = await ledger.replay(database)
  return (await ledger.belongsTo(database))
    ? `Deleted again what visitors deleted after the backup: ${erased} ${erased === 1 ? 'entry' : 'entries'} of the ledger of erasures.`
    : `The ledger of erasures in ${directory} is not the one of this installation: what visitors deleted after the backup may be back. Put the right one there and restore again.`
}

function described(file: string, { header, bytes }: Archive, erasures: string, rehearse: boolean): string[] {
  return [
    `${rehearse ? 'Rehearsed' : 'Restored'} ${file}: ${describeBytes(bytes)}, of ${header.createdAt}, release ${header.release}.`,
    `The checksum, the database and its numbers of rows are right: ${describeRows(header.rows)}.`,
    erasures,
    rehearse ? 'Nothing is left of the rehearsal.' : 'Start the server now.',
  ]
}
