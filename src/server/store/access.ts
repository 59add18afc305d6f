import { type ExpressionBuilder, type ExpressionWrapper, sql, type SqlBool } from 'kysely'
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
  keptMs: number
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

/** The condition that every query for a session carries: there is no query that finds one by its id only. */
export function reachable(access: Access) {
  return (query: ExpressionBuilder<Schema, 'sessions'>): ExpressionWrapper<Schema, 'sessions', SqlBool> =>
    query.and([
      access.owner === null ? query('sessions.open_by_id', '=', 1) : query('sessions.owner', '=', access.owner),
      isKept(access)(query),
    ])
}

/** Whether a session has not ended: since its last activity or its import no more than `keptMs` have gone. */
export function isKept({ now, keptMs }: Pick<Access, 'now' | 'keptMs'>) {
  return (query: ExpressionBuilder<Schema, 'sessions'>): ExpressionWrapper<Schema, 'sessions', SqlBool> =>
    query.or([query('sessions.updated_at', '>=', now - keptMs), query('sessions.imported_at', '>=', now - keptMs)])
}

/** The first use with a credential ends that the id alone opens the session. */
export function openByIdAfter(access: Access) {
  return access.credential ? sql<number>`0` : sql.ref<number>('open_by_id')
}

/** Finds a session that is no temporary one, and holds it: what is in it stays as it is until the transaction ends. */
export function holdStoredSession(transaction: Database, id: string, access: Access): Promise<{ title: string } | undefined> {
  return transaction
    .updateTable('sessions')
    .set({ open_by_id: openByIdAfter(access) })
    .where('id', '=', id)
    .where('temporary', '=', 0)
    .where(reachable(access))
    .returning('title')
    .executeTakeFirst()
}
