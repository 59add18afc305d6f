import { constants, existsSync } from 'node:fs'
import { access, lstat, readdir, statfs } from 'node:fs/promises'
import { join } from 'node:path'
import { type Settings, SettingsError } from '../../config/config.ts'
import { type Database, databaseTime } from '../../store/engine/database.ts'
import { openReader, countMigrations } from '../../store/engine/open-database.ts'
import { deniedRights, isReadOnly, maxConnections } from '../../store/engine/database-rights.ts'
import { newestTime } from '../../store/engine/installation-facts.ts'
import { readRing } from '../../visitors/key-ring.ts'
import { UnusableDatabase } from '../../store/engine/schema-version.ts'
import { allOf, type Finding, findingsOf } from './finding.ts'

const clock = findingsOf('clock')
const database = findingsOf('database')
const disk = findingsOf('disk')

const MB = 1024 * 1024
const LITTLE_SPACE_MB = 1024
const NO_SPACE_MB = 100
const MAX_CLOCK_DIFFERENCE_MS = 60_000
const DAY_MS = 24 * 60 * 60 * 1000
const OTHERS = 0o077

export async function checkDisk({ dataDirectory }: Pick<Settings, 'dataDirectory'>): Promise<Finding[]> {
  if (!existsSync(dataDirectory)) return [disk.skipped(`${dataDirectory} is created at the first start.`)]
  const { bavail, bsize } = await statfs(dataDirectory)
  const freeMb = Math.floor((bavail * bsize) / MB)
  return allOf(diskProblems(dataDirectory, freeMb), disk.ok(`${freeMb} MB are free, and only this user can read the data.`))
}

async function* diskProblems(dataDirectory: string, freeMb: number): AsyncGenerator<Finding> {
  if (!(await mayWrite(dataDirectory)))
    yield disk.problem(`${dataDirectory} cannot be written.`, 'Set DATA_DIR to a folder that this user may write.')
  if (freeMb < NO_SPACE_MB) yield disk.problem(`${freeMb} MB are free.`, 'Free space: prompts are refused when the disk is full.')
  else if (freeMb < LITTLE_SPACE_MB) yield disk.warning(`${freeMb} MB are free.`, 'Free space before the disk is full.')
  const open = await openToOthers(dataDirectory)
  if (open.length > 0)
    yield disk.problem(`Other users of this machine can read ${open.join(', ')}.`, `Run: chmod -R go-rwx ${dataDirectory}`)
}

const mayWrite = (path: string) =>
  access(path, constants.W_OK).then(
    () => true,
    () => false,
  )

/** Names of entries that other users could read; none if the folder itself is closed. */
async function openToOthers(directory: string): Promise<string[]> {
  // An entry may be gone by now.
  const modeOf = async (path: string) => (await lstat(path).catch(() => undefined))?.mode ?? 0
  if (process.platform === 'win32' || ((await modeOf(directory)) & OTHERS) === 0) return []
  const names = await readdir(directory)
  const modes = await Promise.all(names.map((name) => modeOf(join(directory, name))))
  return names.filter((_, index) => ((modes[index] ?? 0) & OTHERS) !== 0)
}

/** Checks the database's schema, rights and clock. Changes nothing. */
export async function checkDatabase(
  { database: settings, dataDirectory, previousKey }: Pick<Settings, 'database' | 'dataDirectory' | 'previousKey'>,
  key: string | undefined,
): Promise<Finding[]> {
  const former = join(dataDirectory, 'parley.db')
  const left =
    settings.kind === 'postgres' && existsSync(former)
      ? [database.warning(`${former} still has what visitors have deleted since the move to PostgreSQL.`, `Run: rm -f ${former}*`)]
      : []
  return [...left, ...(await checkOpened(settings, (reader) => key !== undefined && readRing(reader, key, previousKey)))]
}

async function checkOpened(settings: Settings['database'], checkKey: (reader: Database) => unknown): Promise<Finding[]> {
  if (settings.kind === 'sqlite' && !existsSync(join(settings.directory, 'parley.db')))
    return [database.skipped('The embedded database is created at the first start.')]
  await using reader = await openReader(settings)
  try {
    const { applied, pending } = await countMigrations(reader)
    const rights =
      settings.kind === 'sqlite' ? 'The embedded database takes writes.' : 'The user of DATABASE_URL can read, write and upgrade.'
    const found = await allOf(rightsProblems(reader, settings), database.ok(rights))
    if (applied === 0) return [...found, database.skipped('The tables are created at the first start.')]
    if (pending > 0) found.push(database.warning(`${pending} migrations are pending.`, 'Start the server, which applies them.'))
    await checkKey(reader)
    const agree = settings.kind === 'postgres' ? clock.ok('This machine and the database agree on the time.') : undefined
    return [...found, ...(await allOf(clockProblems(reader, settings), agree))]
  } catch (error) {
    if (error instanceof UnusableDatabase || error instanceof SettingsError)
      return [database.problem('No server of this release starts with the database.', error.message)]
    const code = (error as { code?: string }).code ?? 'no code'
    return [
      database.problem(
        `The database cannot be used (${code}).`,
        'Check that it runs, and the name, the password and the rights in DATABASE_URL or DATA_DIR.',
      ),
    ]
  }
}

async function* rightsProblems(reader: Database, settings: Settings['database']): AsyncGenerator<Finding> {
  if (await isReadOnly(reader))
    yield database.problem('The database is read-only.', 'Name the primary server in DATABASE_URL, or free the data folder for writing.')
  if (settings.kind === 'sqlite') return
  const denied = await deniedRights(reader)
  if (denied.length > 0)
    yield database.problem(
      `The user of DATABASE_URL lacks rights: ${denied.join(', ')}.`,
      'Make it the owner of the database and of its tables.',
    )
  const max = await maxConnections(reader)
  if (settings.connections > max)
    yield database.problem(
      `A process opens ${settings.connections} connections, and the server of DATABASE_URL allows ${max}.`,
      'Raise max_connections.',
    )
}

async function* clockProblems(reader: Database, settings: Settings['database']): AsyncGenerator<Finding> {
  const now = Date.now()
  const newest = await newestTime(reader)
  if (newest !== null && newest - now > MAX_CLOCK_DIFFERENCE_MS)
    yield clock.problem(
      `The clock is behind the time of ${new Date(newest).toISOString()}, when the server ran.`,
      'Set the clock (timedatectl set-ntp true).',
    )
  if (newest !== null && now - newest > DAY_MS)
    yield clock.warning(
      'The clock is more than a day ahead of the last run; nothing is deleted for its age until the time is confirmed.',
      'If the clock is right, run parley confirm-clock after the next start.',
    )
  if (settings.kind !== 'postgres') return
  const differenceMs = Math.abs((await databaseTime(reader)) - now)
  if (differenceMs > MAX_CLOCK_DIFFERENCE_MS)
    yield clock.problem(
      `The clocks of this machine and of the database differ by ${Math.round(differenceMs / 1000)} s.`,
      'Synchronize both with NTP.',
    )
}
