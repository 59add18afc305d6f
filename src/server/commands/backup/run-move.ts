import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { parseArgs } from 'node:util'
import { DATABASE_ENVIRONMENT, databaseSettings } from '../../config/database-settings.ts'
import { SettingsError } from '../../config/config.ts'
import { inspectSqlite } from '../../store/backup/copy-sqlite.ts'
import { differences, digested, type Digests } from '../../store/backup/row-lines.ts'
import { exportSqlite } from '../../store/backup/sqlite-rows.ts'
import type { Database } from '../../store/engine/database.ts'
import { deleteFact, readFact, writeFact } from '../../store/engine/installation-facts.ts'
import { type DatabaseSettings, MIGRATIONS, openReader } from '../../store/engine/open-database.ts'
import { firstKey } from '../../keys.ts'
import { readRing } from '../../visitors/key-ring.ts'
import { existingInstallationKey } from '../../visitors/installation-key.ts'
import { ErasureLedger } from '../../visitors/erasure-ledger.ts'
import { type CommandResult, UsageError, withUsage } from '../operator-command.ts'
import { type BackupContext, describeRows, progressOf } from './backup-context.ts'
import { type ExportedRows, prepareTarget, type RestoreTarget } from './restored-database.ts'

const USAGE = `Moves everything to another database that is empty, while no server runs.

  parley move --to postgres://user@host/name   from the embedded database, or from another PostgreSQL
  parley move --to sqlite                      from PostgreSQL to the embedded database in DATA_DIR
`

/** Runs `move` with these arguments. Resolves with what to print and the exit code. */
export function runMove(args: readonly string[], context: BackupContext): Promise<CommandResult> {
  return withUsage(USAGE, () => move(destinationOf(args, context), context))
}

async function move(to: DatabaseSettings, context: BackupContext): Promise<CommandResult> {
  const { dataDirectory, database: from } = context.settings
  const source = prepareTarget({ database: from, dataDirectory })
  const target = prepareTarget({ database: to, dataDirectory })
  if (source.name === target.name) throw new SettingsError(`The settings name ${target.name} already.`)
  // Processes on PostgreSQL have their locks in DATA_DIR, too.
  await prepareTarget({ database: { kind: 'sqlite', directory: dataDirectory }, dataDirectory }).assertStopped()
  await source.assertStopped()
  if (await source.isEmpty()) throw new SettingsError(`There is nothing to move: ${source.name} is empty.`)
  await target.assertStopped()
  if (!(await target.isEmpty())) throw new SettingsError(`There is ${target.name} already, which is not empty: move to an empty place.`)
  await seal(from, source.name, target.name)
  const progress = { mayBeLive: false }
  try {
    const rows = await copy(from, target, context, progress)
    return { output: `${described(rows, { from, to, source, target, dataDirectory }).join('\n')}\n`, exitCode: 0 }
  } catch (error) {
    if (!progress.mayBeLive || (await target.isEmpty())) await useFacts(from, (database) => deleteFact(database, 'moved_to'))
    throw error
  }
}

function destinationOf(args: readonly string[], { settings }: BackupContext): DatabaseSettings {
  const { to } = parseArgs({ args: [...args], options: { to: { type: 'string' } } }).values
  if (to === undefined) throw new UsageError('Say where to with --to.')
  if (to === 'sqlite') return { kind: 'sqlite', directory: settings.dataDirectory }
  const { success, data } = DATABASE_ENVIRONMENT.DATABASE_URL.safeParse(to)
  if (!success) throw new UsageError('--to is sqlite, or postgres://user@host/name.')
  return databaseSettings({ DATABASE_URL: data }, settings.dataDirectory)
}

/** Keeps servers from starting with the source from now on. A move to the same place that was interrupted goes on. */
function seal(from: DatabaseSettings, source: string, target: string): Promise<void> {
  return useFacts(from, async (database) => {
    const movedTo = await readFact(database, 'moved_to')
    if (movedTo !== null && movedTo !== target) throw new SettingsError(`All of ${source} was moved to ${movedTo} already.`)
    await writeFact(database, 'moved_to', target)
  })
}

async function useFacts<T>(settings: DatabaseSettings, use: (database: Database) => Promise<T>): Promise<T> {
  await using database = await openReader(settings)
  return await use(database)
}

/** Resolves with the numbers of rows, all of which are verified in the target by their hashes. */
async function copy(
  from: DatabaseSettings,
  target: RestoreTarget,
  context: BackupContext,
  progress: { mayBeLive: boolean },
): Promise<Record<string, number>> {
  const exported = await exportRows(from, context)
  const [sent, received]: [Digests, Digests] = [new Map(), new Map()]
  try {
    const { contents } = exported
    if (contents.migrations.join() !== Object.keys(MIGRATIONS).join())
      throw new SettingsError('The database is of another release: start the server of this release with it once, and stop it again.')
    const moved = await target.stageRows({ contents, lines: digested(exported.lines, sent) })
    try {
      context.report('Comparing the copy')
      for await (const _ of digested(moved.lines(), received)) continue
      const wrong = differences(sent, received)
      if (wrong.length > 0) throw new Error(`Rows of ${wrong.join(', ')} differ in the copy. Nothing was moved.`)
      await deleteFact(moved.database, 'moved_to')
      await eraseAgain(moved.database, context)
      progress.mayBeLive = true
      await moved.activate()
      return contents.rows
    } finally {
      await moved.close()
    }
  } finally {
    await exported.close()
  }
}

async function exportRows(from: DatabaseSettings, { report }: BackupContext): Promise<ExportedRows & { close(): Promise<void> }> {
  report('Copying the database')
  if (from.kind === 'sqlite') {
    const contents = inspectSqlite(join(from.directory, 'parley.db'))
    const lines = Readable.from(exportSqlite(from.directory, contents))
    return { contents, lines, close: async () => undefined }
  }
  const { exportPostgres } = await import('../../store/backup/export-postgres.ts')
  const { contents, lines, close } = await exportPostgres(from.url, progressOf(report, 'Copying the database'))
  return { contents, lines: lines(), close }
}

/** Deletes what the ledger names and the copy has. @throws {SettingsError} unless it is the newest one of this installation. */
async function eraseAgain(database: Database, { settings, now }: BackupContext): Promise<void> {
  const { ledger: options, installationKey, previousKey, dataDirectory } = settings
  const key = await existingInstallationKey(installationKey, dataDirectory)
  if (key === undefined) throw new SettingsError(`${dataDirectory} has no installation key: run this where the server runs.`)
  const wrong = `The ledger of erasures in ${options.directory} is not the newest one of this installation: put that there (ERASURE_LEDGER), and move again.`
  if (!existsSync(options.directory)) throw new SettingsError(wrong)
  const { keys } = await readRing(database, key, previousKey)
  const ledger = await ErasureLedger.open({ ...options, installationKey: firstKey(keys), now })
  if (!(await ledger.belongsTo(database)) || (await ledger.isOlderThan(database))) throw new SettingsError(wrong)
  await ledger.replay(database)
}

interface Move {
  from: DatabaseSettings
  to: DatabaseSettings
  source: RestoreTarget
  target: RestoreTarget
  dataDirectory: string
}

function described(rows: Record<string, number>, { from, to, source, target, dataDirectory }: Move): string[] {
  return [
    `Moved ${describeRows(rows)} to ${target.name}; in all ${Object.keys(rows).length} tables, the numbers of rows and their hashes are equal.`,
    `No server starts with ${source.name} any more. It still has what visitors delete from now on: wipe it as soon as the new one runs:`,
    from.kind === 'sqlite'
      ? `  rm -f ${['', '-wal', '-shm'].map((suffix) => join(dataDirectory, `parley.db${suffix}`)).join(' ')}`
      : `  DROP DATABASE ${new URL(from.url).pathname.slice(1)};`,
    to.kind === 'postgres'
      ? 'Set DATABASE_URL to the new one, and start the server.'
      : 'Remove DATABASE_URL from the settings, and start the server.',
  ]
}
