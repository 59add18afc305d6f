import { createReadStream, existsSync } from 'node:fs'
import { mkdir, readdir, rm, stat } from 'node:fs/promises'
import { basename, dirname, join, resolve } from 'node:path'
import { Readable } from 'node:stream'
import { parseArgs } from 'node:util'
import type { BackupHeader } from '../../../contract/backup-header.ts'
import { SettingsError } from '../../config/config.ts'
import { type Contents, copySqlite, inspectSqlite } from '../../store/backup/copy-sqlite.ts'
import { openReader } from '../../store/engine/open-database.ts'
import { readRing } from '../../visitors/key-ring.ts'
import { existingInstallationKey } from '../../visitors/installation-key.ts'
import { type CommandResult, UsageError, withUsage } from '../operator-command.ts'
import { writeArchive } from './archive.ts'
import { type BackupContext, describeRows, describeBytes, OWN_BACKUP, progressOf, recordTime } from './backup-context.ts'
import { proofOfKey, sealKey } from './seal-key.ts'

const USAGE = `Backs up the database and the installation key, also while the server runs.

  parley backup <file>
  parley backup --to <folder> [--keep 14]   keeps the newest backups
                --without-key               leaves out the installation key
`
const DEFAULT_KEEP = 14
const MIN_PASSPHRASE_CHARACTERS = 12
/** Files left by an interrupted backup. */
const OWN_PART = /^parley-\S+\.backup(?:\.db)?\.part(?:-wal|-shm|-journal)?$/
/** A part of this age belongs to no running backup. */
const ABANDONED_MS = 24 * 60 * 60 * 1000

interface Command {
  /** `null` for a new file in the folder. */
  file: string | null
  folder: string
  keep: number
  withKey: boolean
}

/** Runs `backup` with these arguments. Resolves with what to print and the exit code. */
export function runBackup(args: readonly string[], context: BackupContext): Promise<CommandResult> {
  return withUsage(USAGE, () => backup(commandOf(args), context))
}

async function backup(command: Command, context: BackupContext): Promise<CommandResult> {
  const { settings, now } = context
  const createdAt = new Date(now())
  const { folder, withKey } = command
  const file = command.file ?? join(folder, `parley-${createdAt.toISOString().slice(0, 19).replaceAll(':', '-')}Z.backup`)
  const { key, bytes, rows } = await written().catch(async (error: unknown) => {
    await recordTime(settings.database, 'last_failed_backup', now())
    throw error
  })
  const notRecorded = await recordTime(settings.database, 'last_backup', createdAt.getTime())
  const deleted = command.file === null ? await rotate(folder, command.keep, now()) : []
  const lines = [
    `Backed up to ${file}: ${describeBytes(bytes)}, ${describeRows(rows)}.`,
    key === null
      ? 'The installation key is not in the backup: keep it elsewhere. A restore asks for it.'
      : 'The installation key is in the backup, sealed by the passphrase.',
    `The ledger of erasures (${settings.ledger.directory}) is not in the backup, since a restore needs the newest one: copy it to another disk, and never back to an older state.`,
    ...notRecorded,
    ...deleted.map((name) => `Deleted the older backup ${name}.`),
  ]
  return { output: `${lines.join('\n')}\n`, exitCode: 0 }

  async function written() {
    await mkdir(folder, { recursive: true, mode: 0o700 })
    const header = await headerOfKey(context, withKey)
    return { key: header.key, ...(await backUp(context, file, { ...header, createdAt: createdAt.toISOString() })) }
  }
}

function commandOf(args: readonly string[]): Command {
  const options = { to: { type: 'string' }, keep: { type: 'string' }, 'without-key': { type: 'boolean' } } as const
  const { values, positionals } = parseArgs({ args: [...args], allowPositionals: true, options })
  const [file] = positionals
  if (positionals.length + (values.to === undefined ? 0 : 1) !== 1) throw new UsageError('Give one file, or a folder with --to.')
  if (values.keep !== undefined && values.to === undefined) throw new UsageError('--keep belongs to --to.')
  const keep = Number(values.keep ?? DEFAULT_KEEP)
  if (!Number.isInteger(keep) || keep < 1) throw new UsageError('--keep must be a whole number from 1.')
  const path = resolve(file ?? values.to ?? '')
  const place = file === undefined ? { file: null, folder: path } : { file: path, folder: dirname(path) }
  return { ...place, keep, withKey: !values['without-key'] }
}

async function headerOfKey(context: BackupContext, withKey: boolean): Promise<Pick<BackupHeader, 'key' | 'keyProof'>> {
  const { installationKey, dataDirectory } = context.settings
  const current = await existingInstallationKey(installationKey, dataDirectory)
  if (current === undefined)
    throw new SettingsError(`There is nothing to back up: ${dataDirectory} has no installation key. Check DATA_DIR.`)
  const key = await keyOfDatabase(context, current)
  const keyProof = proofOfKey(key)
  return { keyProof, key: withKey ? await sealKey(key, await newPassphrase(context)) : null }
}

/** The key with which the server last ran: after a change, the previous one until the next start. */
async function keyOfDatabase({ settings: { database, previousKey } }: BackupContext, current: string): Promise<string> {
  if (previousKey === null) return current
  await using reader = await openReader(database)
  return (await readRing(reader, current, previousKey)).isToSeal ? previousKey : current
}

async function newPassphrase({ settings, ask }: BackupContext): Promise<string> {
  if (settings.backupPassphrase !== null) return settings.backupPassphrase
  const passphrase = await ask('Passphrase that seals the installation key: ')
  if (passphrase === undefined)
    throw new SettingsError(
      'Set BACKUP_PASSPHRASE, which seals the installation key in the backup, or leave the key out with --without-key.',
    )
  if (passphrase.length < MIN_PASSPHRASE_CHARACTERS)
    throw new SettingsError(`The passphrase must have at least ${MIN_PASSPHRASE_CHARACTERS} characters.`)
  if ((await ask('Again: ')) !== passphrase) throw new SettingsError('The passphrases differ.')
  return passphrase
}

type PartialHeader = Pick<BackupHeader, 'key' | 'keyProof' | 'createdAt'>

async function backUp(context: BackupContext, file: string, partial: PartialHeader): Promise<{ bytes: number; rows: Contents['rows'] }> {
  const { settings, release } = context
  const { kind } = settings.database
  const headerWith = (contents: Contents): BackupHeader => {
    if (contents.migrations.length === 0) throw new SettingsError('There is nothing to back up: the database has no tables yet.')
    return { format: 'parley-backup-1', release, database: kind, ...contents, ...partial }
  }
  return settings.database.kind === 'sqlite'
    ? backUpSqlite(context, file, settings.database.directory, headerWith)
    : backUpPostgres(context, file, settings.database.url, headerWith)
}

type HeaderWith = (contents: Contents) => BackupHeader

/** Copies the database beside the backup first, so that the server's log is held up for as short as possible. */
async function backUpSqlite({ report }: BackupContext, file: string, directory: string, headerWith: HeaderWith) {
  if (!existsSync(join(directory, 'parley.db'))) throw new SettingsError(`There is nothing to back up: ${directory} has no database.`)
  const copy = join(dirname(file), `${basename(file)}.db.part`)
  const removeCopy = async () => {
    for (const suffix of ['', '-wal', '-shm', '-journal']) await rm(`${copy}${suffix}`, { force: true })
  }
  try {
    await removeCopy()
    await copySqlite(directory, copy, progressOf(report, 'Copying the database'))
    const contents = inspectSqlite(copy)
    const bytes = await writeArchive(file, headerWith(contents), createReadStream(copy))
    return { bytes, rows: contents.rows }
  } finally {
    await removeCopy()
  }
}

async function backUpPostgres({ report }: BackupContext, file: string, url: string, headerWith: HeaderWith) {
  const { exportPostgres } = await import('../../store/backup/export-postgres.ts')
  const source = await exportPostgres(url, progressOf(report, 'Exporting the database'))
  try {
    const bytes = await writeArchive(file, headerWith(source.contents), Readable.from(source.lines()))
    return { bytes, rows: source.contents.rows }
  } finally {
    await source.close()
  }
}

/** Deletes all but the newest backups that `--to` has created, and parts of interrupted ones. Returns the names of the backups. */
async function rotate(folder: string, keep: number, now: number): Promise<string[]> {
  const names = await readdir(folder)
  for (const name of names.filter((part) => OWN_PART.test(part))) {
    const { mtimeMs } = await stat(join(folder, name))
    if (now - mtimeMs > ABANDONED_MS) await rm(join(folder, name), { force: true })
  }
  const old = names
    .filter((name) => OWN_BACKUP.test(name))
    .toSorted()
    .slice(0, -keep)
  for (const name of old) await rm(join(folder, name), { force: true })
  return old
}
