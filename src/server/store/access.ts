import { type ExpressionBuilder, type ExpressionWrapper, sql, type SqlBool } from 'kysely'
import type { Schema } from './schema.ts'
import type { NewVisitor } from './visitors.ts'

/**
 * Who asks for a session. `owner` is the principal of a credential or of an id that the client chose;
 * without one, only a session that its id alone still opens can be reached.
 */
export type Access = { owner: string; credential: boolean } | 'by-id'

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
    access === 'by-id' ? query('sessions.open_by_id', '=', 1) : query('sessions.owner', '=', access.owner)
}

/** The first use with a credential ends that the id alone opens the session. */
export function openByIdAfter(access: Access) {
  return access !== 'by-id' && access.credential ? sql<number>`0` : sql.ref<number>('open_by_id')
}
