import { type Expression, expressionBuilder, type Kysely, sql, type SqlBool } from 'kysely'
import type { Database } from './database.ts'
import type { Schema } from './schema.ts'
import type { NewVisitor } from './visitors.ts'

/** Who asks for sessions, and when. */
export interface Access {
  /** The principal of a credential or of an id that the client chose; null without one: then a session is opened by its id alone, while it may be. */
  owner: string | null
  credential: boolean
  /** Milliseconds since the epoch. */
  now: number
  /** How long a session is kept after its last activity; afterwards it is as unknown, whether it is purged yet or not. */
  retentionMs: number
  /** When all keys of the owner end, and with them all that they open; only for a visitor on shared computers. */
  endsAt?: number
}

/** Who sends a prompt: where it is stored when a new session is made, and how an old one is reached. */
export interface Sender {
  owner: string
  access: Access
  newVisitor: NewVisitor | null
  /** A session made without a credential is opened by its id alone until a credential has used it. */
  openById: boolean
}

/** The caller's view of the sessions, for reads: every query for a session that a request names begins here. */
export function selectSessions(database: Database, access: Access) {
  return unrestricted(database).selectFrom('sessions').where(reachable(access))
}

/** The same for updates. */
export function updateSessions(database: Database, access: Access) {
  return unrestricted(database).updateTable('sessions').where(reachable(access))
}

/**
 * A database whose sessions can be queried without an access condition: for maintenance, for queries by owner, and inside a
 * transaction that has found the session by `access` before.
 */
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

/** Whether a session is within its retention period: last active or imported at most `retentionMs` ago. */
export function isRetained({ now, retentionMs }: Pick<Access, 'now' | 'retentionMs'>): Expression<SqlBool> {
  const query = expressionBuilder<Schema, 'sessions'>()
  return query.or([query('sessions.updated_at', '>=', now - retentionMs), query('sessions.imported_at', '>=', now - retentionMs)])
}

/** The first use with a credential ends that the id alone opens the session. */
export function openByIdAfter(access: Access) {
  return access.credential ? sql<number>`0` : sql.ref<number>('open_by_id')
}

/** Finds a session that is no temporary one, and holds it: what is in it stays as it is until the transaction ends. */
export function lockStoredSession(transaction: Database, id: string, access: Access): Promise<{ title: string } | undefined> {
  return updateSessions(transaction, access)
    .set({ open_by_id: openByIdAfter(access) })
    .where('id', '=', id)
    .where('temporary', '=', 0)
    .returning('title')
    .executeTakeFirst()
}
