import { randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { SettingsError } from '../../config/config.ts'
import { copyDatabase, type DatabaseCopy, sizeOfTables } from '../../store/backup/copy-database.ts'
import { countOf, type Database } from '../../store/engine/database.ts'
import { countMigrations, type DatabaseSettings, MIGRATIONS, type Migrations, openReader } from '../../store/engine/open-database.ts'
import { eraseSessions } from '../../store/sessions/erasure.ts'
import { COMPATIBLE_FROM, UnusableDatabase } from '../../store/engine/schema-version.ts'
import { insertPrompt } from '../../store/turns/turns.ts'
import { type CommandResult, UsageError, withUsage } from '../operator-command.ts'
import { type BackupContext, describeRows, describeBytes, progressOf } from './backup-context.ts'

const USAGE = `Rehearses the migration of the database to this release on a copy, also while the server of the former release runs.

  parley upgrade --rehearse

The first server of a release migrates the database itself.
`

/** Tables whose rows a migration keeps. */
const KEPT = ['visitors', 'sessions', 'messages', 'files']

type UpgradeContext = Pick<BackupContext, 'report'> & { settings: Pick<BackupContext['settings'], 'database'> }

/** Runs `upgrade` with these arguments. Resolves with what to print and the exit code. */
export function runUpgrade(args: readonly string[], context: UpgradeContext, migrations: Migrations = MIGRATIONS): Promise<CommandResult> {
  return withUsage(USAGE, () => {
    const { rehearse: isRehearsal } = parseArgs({ args: [...args], options: { rehearse: { type: 'boolean' } } }).values
    if (!isRehearsal) throw new UsageError('Give --rehearse.')
    return rehearseUpgrade(context, migrations)
  })
}

async function rehearseUpgrade(context: UpgradeContext, migrations: Migrations): Promise<CommandResult> {
  const { database } = context.settings
  if (database.kind === 'sqlite' && !existsSync(join(database.directory, 'parley.db')))
    throw new SettingsError(`There is nothing to upgrade: ${database.directory} has no database. Check DATA_DIR.`)
  const unusable = await whyUnusable(database)
  if (unusable !== null) return { output: `${unusable}\n`, exitCode: 1 }
  const copy = await copyDatabase(database, migrations, progressOf(context.report, 'Copying the database'))
  try {
    return await rehearse(copy, Object.keys(migrations), context.report)
  } finally {
    await copy.close()
  }
}

/** A sentence if only another release can use the database. */
async function whyUnusable(settings: DatabaseSettings): Promise<string | null> {
  await using reader = await openReader(settings)
  try {
    await countMigrations(reader)
    return null
  } catch (error) {
    if (error instanceof UnusableDatabase) return error.message
    throw error
  }
}

async function rehearse(copy: DatabaseCopy, known: string[], report: (line: string) => void): Promise<CommandResult> {
  const { database, contents } = copy
  const pending = known.filter((name) => !contents.migrations.includes(name))
  const before = await sizeOfTables(database)
  const beginsAt = performance.now()
  report('Migrating the copy')
  try {
    await copy.migrate()
    await checkRows(database, contents.rows)
    await storeAndDelete(database)
  } catch (error) {
    const { message } = error as Error
    return { output: `The upgrade would fail: ${message}\nThe database is as it was. Keep the former release running.\n`, exitCode: 1 }
  }
  const seconds = ((performance.now() - beginsAt) / 1000).toFixed(1)
  const rollsBack = contents.migrations.length >= COMPATIBLE_FROM
  const lines = [
    `Rehearsed the upgrade on a copy: ${describeRows(contents.rows)}.`,
    pending.length === 0 ? 'There is nothing to migrate: the database is up to date.' : `Migrations: ${pending.join(', ')}`,
    `Time: ${seconds} s, with a smoke test: a chat can be stored and deleted, and no rows are missing.`,
    `Size: ${describeBytes(before)} before, ${describeBytes(await sizeOfTables(database))} after.`,
    rollsBack
      ? 'The former release can use the migrated database: roll back by starting it again.'
      : 'The former release can’t use the migrated database: back up before the upgrade, and restore that to roll back.',
  ]
  return { output: `${lines.join('\n')}\n`, exitCode: 0 }
}

async function checkRows(database: Database, before: Record<string, number>): Promise<void> {
  for (const table of KEPT.filter((name) => before[name] !== undefined)) {
    const count = await countOf(database.selectFrom(table as 'visitors'))
    if (count !== before[table]) throw new Error(`${table} has ${count} rows instead of ${before[table]}.`)
  }
}

async function storeAndDelete(database: Database): Promise<void> {
  const id = `rehearsal-${randomBytes(9).toString('base64url')}`
  const accepted = await insertPrompt(database, {
    id: `turn-${id}`,
    instance: id,
    now: Date.now(),
    message: { id: `prompt-${id}`, role: 'user', parts: [{ type: 'text', text: 'rehearsal' }] },
    continues: null,
    newVisitor: null,
    claim: null,
    reservationsFor: () => [],
    count: async () => undefined,
    newSession: { id, owner: id, agent: id, title: '', openById: false },
  })
  const deleted = accepted.kind === 'accepted' ? await eraseSessions(database, [id]) : {}
  if (deleted['chats'] !== 1 || deleted['messages'] !== 1) throw new Error('A chat could not be stored and deleted.')
}
