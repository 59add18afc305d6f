import { sql } from 'kysely'
import type { Database } from './database.ts'
import { readFact, writeFact } from './installation-facts.ts'

/** Number of the oldest migration whose processes can use this schema. Raise it with a migration that older processes can't work with. */
export const COMPATIBLE_FROM = 1

/** Recorded by previews from before 0.1.0, whose eighteen migrations became the initial schema. */
const PREVIEW_MIGRATION = '0002-sources'

/** The database was moved, or was migrated by a release whose schema this one can't use; the message is for the operator. */
export class UnusableDatabase extends Error {}

/** Whether these are migrations of a preview from before 0.1.0. */
export function arePreviewMigrations(applied: readonly string[]): boolean {
  return applied.includes(PREVIEW_MIGRATION)
}

/**
 * Whether a newer release has migrated the database, so that this one must not.
 * @throws {UnusableDatabase} if this release can't use it, or if it was moved.
 */
export async function isNewer(database: Database, known: readonly string[]): Promise<boolean> {
  const applied = await appliedMigrations(database)
  if (arePreviewMigrations(applied))
    throw new UnusableDatabase(
      'The database belongs to a preview of Parley from before 0.1.0, whose data no release can read: start with an empty DATA_DIR (or another PostgreSQL database in DATABASE_URL), or keep using that preview.',
    )
  const movedTo = applied.length > 0 ? await readFact(database, 'moved_to') : null
  if (movedTo !== null)
    throw new UnusableDatabase(
      `This database was moved to ${movedTo}: use that one (DATABASE_URL), and delete this one if you haven't yet.`,
    )
  if (applied.every((name) => known.includes(name))) return false
  const compatibleFrom = Number((await readFact(database, 'compatible_from')) ?? Number.POSITIVE_INFINITY)
  if (known.length >= compatibleFrom) return true
  const release = await readFact(database, 'release')
  throw new UnusableDatabase(
    `The database belongs to a newer release of Parley: start ${release === null ? 'the release that upgraded it' : `release ${release}`} or a later one, or restore a backup from before the upgrade.`,
  )
}

/** Names of the migrations that the database has; none before the first start. */
export async function appliedMigrations(database: Database): Promise<string[]> {
  const tables = await database.introspection.getTables({ withInternalKyselyTables: true })
  if (!tables.some(({ name }) => name === 'kysely_migration')) return []
  const { rows } = await sql<{ name: string }>`select name from kysely_migration`.execute(database)
  return rows.map(({ name }) => name)
}

/** Records which releases can use the schema. */
export async function recordRelease(database: Database, release: string): Promise<void> {
  await writeFact(database, 'compatible_from', String(COMPATIBLE_FROM))
  await writeFact(database, 'release', release)
}
