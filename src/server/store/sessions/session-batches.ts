import { type RawBuilder, sql } from 'kysely'
import { unrestricted } from '../visitors/access.ts'
import { type Database, isEmbedded } from '../engine/database.ts'
import type { Schema } from '../engine/schema/schema.ts'
import { TABLE_OWNERSHIP } from '../engine/table-ownership.ts'

/** Bytes of a file that take as long to delete as a row. */
const BYTES_OF_A_ROW = 32 * 1024
/** Candidates per row of a batch: a session, a prompt and its answer are three. */
const ROWS_OF_A_SMALL_SESSION = 3
/**
 * Tables whose rows are deleted before their session's if it has many; their own dependent rows are few and go with them. Messages come
 * last, because they tell how many rows are left.
 */
const DEPENDENT_TABLES = (Object.keys(TABLE_OWNERSHIP) as (keyof Schema)[]).toReversed().filter((table) => {
  const ownership = TABLE_OWNERSHIP[table]
  return ownership && 'of' in ownership && ownership.of === 'sessions'
})

/** A time that is later than the last activity of sessions that `expireSessions` has marked, and of no others. */
export const EXPIRED = 1

export interface WeighedSession {
  id: string
  /** About as many rows as its deletion writes. */
  rows: number
}

/** The first of these sessions that have up to `limit` rows together; a larger one alone. */
export function firstBatch(sessions: readonly WeighedSession[], limit: number): WeighedSession[] {
  let rows = 0
  const batch = sessions.filter((session) => (rows += session.rows) <= limit)
  return batch.length > 0 ? batch : sessions.slice(0, 1)
}

/** Sessions without activity since `before`, those with the oldest activity first, as many as may fit into `limit` rows. */
export async function weighExpiredSessions(database: Database, before: number, limit: number): Promise<WeighedSession[]> {
  const sessions = await unrestricted(database)
    .selectFrom('sessions')
    .select('id')
    .select(rowsOf())
    .where('updated_at', '<', before)
    .orderBy('updated_at')
    .limit(Math.ceil(limit / ROWS_OF_A_SMALL_SESSION))
    .execute()
  return sessions.map(({ id, rows }) => ({ id, rows: Number(rows) }))
}

export async function weighSessions(database: Database, ids: readonly string[]): Promise<WeighedSession[]> {
  if (ids.length === 0) return []
  const sessions = await unrestricted(database).selectFrom('sessions').select('id').select(rowsOf()).where('id', 'in', ids).execute()
  return sessions.map(({ id, rows }) => ({ id, rows: Number(rows) }))
}

// The last position is found without reading the messages.
function rowsOf() {
  return sql<number | string>`1
    + (select coalesce(max(position), 0) from messages where messages.session_id = sessions.id)
    + (select coalesce(sum(size), 0) from files where files.session_id = sessions.id) / ${sql.lit(BYTES_OF_A_ROW)}`.as('rows')
}

/** Makes sessions expire at once, for good; the next sweep deletes the rest. For those that take several statements to delete. */
export async function expireSessions(database: Database, ids: readonly string[]): Promise<void> {
  await unrestricted(database).updateTable('sessions').set({ updated_at: 0 }).where('id', 'in', ids).execute()
}

/** Deletes up to `limit` rows that depend on a session, all from one table. Returns how many; 0 if none is left. */
export async function deleteDependentRows(database: Database, id: string, limit: number): Promise<number> {
  for (const table of DEPENDENT_TABLES) {
    // Each file can be as large as hundreds of rows.
    const count = table === 'files' ? 1 : limit
    const { numAffectedRows } = await sql`delete from ${sql.table(table)} where ${isOneOfRows(database, table, id, count)}`.execute(
      database,
    )
    if (numAffectedRows) return Number(numAffectedRows)
  }
  return 0
}

/** By the rows' places, since not every table has an id. PostgreSQL finds them by place in an array only. */
function isOneOfRows(database: Database, table: keyof Schema, id: string, limit: number): RawBuilder<unknown> {
  const rowsIn = (place: string) => sql`select ${sql.ref(place)} from ${sql.table(table)} where session_id = ${id} limit ${limit}`
  return isEmbedded(database) ? sql`rowid in (${rowsIn('rowid')})` : sql`ctid = any(array(${rowsIn('ctid')}))`
}
