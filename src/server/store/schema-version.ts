import { sql } from 'kysely'
import type { Database } from './database.ts'
import { readFact, writeFact } from './installation-facts.ts'

/** Number of the oldest migration whose processes can use this schema. Raise it with a migration that older processes can't work with. */
export const COMPATIBLE_FROM = 1

/** The database has migrations that this release doesn't know, and can't be used by it. */
export class NewerDatabase extends Error {}

/**
 * Whether a newer release has migrated the database, so that this one must not.
 * @throws {NewerDatabase} if this release can't use it; the message is for the operator.
 */
export async function isNewer(database: Database, known: readonly string[]): Promise<boolean> {
  const applied = await appliedMigrations(database)
  if (applied.every((name) => known.includes(name))) return false
  const compatibleFrom = Number((await readFact(database, 'compatible_from')) ?? Number.POSITIVE_INFINITY)
  if (known.length >= compatibleFrom) return true
  const release = await readFact(database, 'release')
  throw new NewerDatabase(
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
