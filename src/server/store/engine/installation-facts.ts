import { sql } from 'kysely'
import { changesRows, type Database } from './database.ts'

type Fact =
  | 'newest_time'
  | 'compatible_from'
  | 'release'
  | 'ledger'
  | 'ledger_applied'
  | 'banner'
  | 'trials'
  | 'last_purge'
  | 'last_backup'
  | 'last_failed_backup'
  | 'last_rehearsal'
  | 'reading_ended_at'
  | 'moved_to'
  | 'connected_model'
  | 'former_keys'
  | 'restarting'
  | `deletion ${string}`

/** Versions of what staff change while the server runs, or what they have stored itself; every process polls for changes. */
export type VersionName =
  | 'stops_version'
  | 'limits_version'
  | 'uploads_version'
  | 'managed_agents_version'
  | 'approved_answers_version'
  | 'embeds_version'
  | 'connected_model'
  | 'former_keys'

/** A version before the first change. */
export const INITIAL_VERSION = '0'

/** A fact about the installation; `null` if it is not stored. */
export async function readFact(database: Database, name: Fact | VersionName): Promise<string | null> {
  const row = await database.selectFrom('installation_facts').select('value').where('name', '=', name).executeTakeFirst()
  return row?.value ?? null
}

/** A version that processes poll; the initial one if it was never changed. */
export async function readVersion(database: Database, name: VersionName): Promise<string> {
  return (await readFact(database, name)) ?? INITIAL_VERSION
}

/** Call it in the transaction of the change. */
export async function increaseVersion(transaction: Database, name: VersionName): Promise<void> {
  await transaction
    .insertInto('installation_facts')
    .values({ name, value: '1' })
    .onConflict((conflict) =>
      conflict.column('name').doUpdateSet({ value: sql<string>`cast(cast(installation_facts.value as integer) + 1 as text)` }),
    )
    .execute()
}

export async function writeFact(database: Database, name: Fact, value: string): Promise<void> {
  await database
    .insertInto('installation_facts')
    .values({ name, value })
    .onConflict((conflict) => conflict.column('name').doUpdateSet({ value }))
    .execute()
}

export async function deleteFact(database: Database, name: Fact): Promise<void> {
  await database.deleteFrom('installation_facts').where('name', '=', name).execute()
}

/** The stored value, which is the given one if there was none. */
export async function readOrWriteFact(database: Database, name: Fact, value: string): Promise<string> {
  await database
    .insertInto('installation_facts')
    .values({ name, value })
    .onConflict((conflict) => conflict.column('name').doNothing())
    .execute()
  return (await readFact(database, name)) ?? value
}

/** The newest time that a process of this installation has stored, in milliseconds since the epoch; `null` before the first. */
export async function newestTime(database: Database): Promise<number | null> {
  const time = await readFact(database, 'newest_time')
  return time === null ? null : Number(time)
}

/** Stores a time unless a newer one is stored. */
export async function recordTime(database: Database, time: number): Promise<void> {
  await database
    .insertInto('installation_facts')
    .values({ name: 'newest_time', value: sortable(time) })
    .onConflict((conflict) =>
      conflict.column('name').doUpdateSet({ value: sql<string>`excluded.value` }).where('installation_facts.value', '<', sortable(time)),
    )
    .execute()
}

/** After it, a process that restarts has died. */
const RESTART_MS = 60_000
/** Time in which a load balancer sees that a process is back. */
const SEEN_MS = 3_000

/** Claims for a process that it alone restarts; false while another does. */
export function claimRestart(database: Database, now: number): Promise<boolean> {
  const value = sortable(now)
  return changesRows(
    database
      .insertInto('installation_facts')
      .values({ name: 'restarting', value })
      .onConflict((conflict) =>
        conflict
          .column('name')
          .doUpdateSet({ value })
          .where('installation_facts.value', '<', sortable(now - RESTART_MS)),
      ),
  )
}

/** Lets the next process restart once load balancers have seen this one. */
export function endRestart(database: Database, now: number): Promise<void> {
  return writeFact(database, 'restarting', sortable(now - RESTART_MS + SEEN_MS))
}

/** Milliseconds since the epoch as text that sorts like the number. */
export function sortable(time: number): string {
  return String(Math.floor(time)).padStart(15, '0')
}
