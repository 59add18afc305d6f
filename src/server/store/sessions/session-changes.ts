import { sql } from 'kysely'
import { unrestricted } from '../visitors/access.ts'
import type { Database } from '../engine/database.ts'

export interface SessionStamp {
  id: string
  owner: string
  /** Stamps differ if the session was used, or a turn started or ended; nothing else of it changes. */
  stamp: string
}

/** Up to `limit` sessions used since a time, of all owners. */
export async function listSessionsChangedSince(database: Database, since: number, limit: number): Promise<SessionStamp[]> {
  const used = await unrestricted(database)
    .selectFrom('sessions')
    .leftJoin('turns', (join) => join.onRef('turns.session_id', '=', 'sessions.id').on('turns.status', '=', 'running'))
    .select(['sessions.id', 'sessions.owner', 'sessions.updated_at', 'turns.id as turn_id'])
    .where('sessions.temporary', '=', 0)
    .where('sessions.updated_at', '>', since)
    .orderBy('sessions.updated_at', 'desc')
    .limit(limit)
    .execute()
  return used.map((row) => ({ id: row.id, owner: row.owner, stamp: stampOf(row) }))
}

export function stampOf(session: { updated_at: number; turn_id: string | null }): string {
  return `${session.updated_at} ${session.turn_id ?? ''}`
}

/** A digest of each owner's sessions, which changes whenever one is created, changed or deleted. An index-only query. */
export async function digestOwners(database: Database, owners: string[]): Promise<{ owner: string; digest: string }[]> {
  const rows = await unrestricted(database)
    .selectFrom('sessions')
    .select('owner')
    .select(sql<string>`cast(count(*) as text)`.as('count'))
    .select(sql<string>`cast(sum(updated_at) as text)`.as('sum'))
    .where('owner', 'in', owners)
    .groupBy('owner')
    .execute()
  return rows.map(({ owner, count, sum }) => ({ owner, digest: `${count} ${sum}` }))
}

export async function listExistingIds(database: Database, owner: string, ids: string[]): Promise<Set<string>> {
  if (ids.length === 0) return new Set()
  const rows = await unrestricted(database).selectFrom('sessions').select('id').where('owner', '=', owner).where('id', 'in', ids).execute()
  return new Set(rows.map((row) => row.id))
}
