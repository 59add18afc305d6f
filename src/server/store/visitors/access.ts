import { type Expression, expressionBuilder, type Kysely, sql, type SqlBool } from 'kysely'
import type { Database } from '../engine/database.ts'
import type { Schema } from '../engine/schema/schema.ts'

/** The principal that accesses sessions, and the time of access. */
export interface Access {
  /** The principal of a credential or client-chosen id; null without one, when only the id may open a session. */
  owner: string | null
  credential: boolean
  /** Milliseconds since the epoch. */
  now: number
  /** Retention after the last activity, in milliseconds. Expired sessions count as missing, purged or not. */
  retentionMs: number
  /** When all of the owner's keys expire; only for visitors on shared computers. */
  endsAt?: number
}

/** The caller's view of the sessions, for reads: every query for a session that a request names begins here. */
export function selectSessions(database: Database, access: Access) {
  return unrestricted(database).selectFrom('sessions').where(reachable(access))
}

export function updateSessions(database: Database, access: Access) {
  return unrestricted(database).updateTable('sessions').where(reachable(access))
}

/** Sessions without an access condition: for maintenance, queries by owner, and transactions that found the session by `access`. */
export function unrestricted(database: Database): Kysely<Schema> {
  return database.$extendTables<Pick<Schema, 'sessions'>>()
}

function reachable(access: Access): Expression<SqlBool> {
  const query = expressionBuilder<Schema, 'sessions'>()
  return query.and([
    access.owner === null ? query('sessions.open_by_id', '=', 1) : query('sessions.owner', '=', access.owner),
    isRetained(access),
  ])
}

/** Whether a session is within its retention period: last active at most `retentionMs` ago. */
export function isRetained({ now, retentionMs }: Pick<Access, 'now' | 'retentionMs'>): Expression<SqlBool> {
  return expressionBuilder<Schema, 'sessions'>()('sessions.updated_at', '>=', now - retentionMs)
}

/** After the first use with a credential, the id alone no longer opens the session. */
export function openByIdAfter(access: Access) {
  return access.credential ? sql<number>`0` : sql.ref<number>('open_by_id')
}

/** Finds a non-temporary session and locks it until the transaction ends. */
export function lockStoredSession(
  transaction: Database,
  id: string,
  access: Access,
): Promise<{ title: string; agent: string } | undefined> {
  return updateSessions(transaction, access)
    .set({ open_by_id: openByIdAfter(access) })
    .where('id', '=', id)
    .where('temporary', '=', 0)
    .returning(['title', 'agent'])
    .executeTakeFirst()
}
