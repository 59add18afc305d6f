import { sql } from 'kysely'
import { unrestricted } from './access.ts'
import type { Database } from './database.ts'

// Each deletes up to `limit` rows and returns how many, unless documented otherwise. Safe to run in several processes.

/** Sessions without activity since `before`, and not imported since. */
export async function purgeSessions(database: Database, before: number, limit: number): Promise<number> {
  const stale = unrestricted(database)
    .selectFrom('sessions')
    .select('id')
    .where('updated_at', '<', before)
    .where('imported_at', '<', before)
    .limit(limit)
  const deleted = await unrestricted(database)
    .deleteFrom('sessions')
    .where('id', 'in', stale)
    .where('updated_at', '<', before)
    .where('imported_at', '<', before)
    .executeTakeFirst()
  return Number(deleted.numDeletedRows)
}

/**
 * Deletes visitors without a session and without a key created since `before`. Examines `limit` visitors after the id `after`. Returns the
 * last examined id; undefined at the end.
 */
export async function purgeVisitors(
  database: Database,
  before: number,
  after: string,
  limit: number,
): Promise<{ deleted: number; last: string | undefined }> {
  const next = await database
    .selectFrom('visitors')
    .select(['id', 'created_at'])
    .where('id', '>', after)
    .orderBy('id')
    .limit(limit)
    .execute()
  const old = next.filter((visitor) => visitor.created_at < before).map(({ id }) => id)
  const last = next.length < limit ? undefined : next.at(-1)?.id
  if (old.length === 0) return { deleted: 0, last }
  const deleted = await unrestricted(database)
    .deleteFrom('visitors')
    .where('id', 'in', old)
    .where(({ not, exists, selectFrom }) =>
      not(exists(selectFrom('sessions').select('sessions.id').whereRef('sessions.owner', '=', 'visitors.id'))),
    )
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('visitor_keys')
            .select('key_hash')
            .whereRef('visitor_keys.visitor_id', '=', 'visitors.id')
            .where('visitor_keys.created_at', '>=', before),
        ),
      ),
    )
    .executeTakeFirst()
  return { deleted: Number(deleted.numDeletedRows), last }
}

/** Temporary sessions whose turn ended before `before`. */
export async function purgeTemporarySessions(database: Database, before: number, limit: number): Promise<number> {
  const ended = unrestricted(database)
    .selectFrom('sessions')
    .select('id')
    .where('temporary', '=', sql.lit(1))
    .where('updated_at', '<', before)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('turns').select('turns.id').whereRef('turns.session_id', '=', 'sessions.id').where('turns.status', '=', 'running'),
        ),
      ),
    )
    .limit(limit)
  const deleted = await unrestricted(database).deleteFrom('sessions').where('id', 'in', ended).executeTakeFirst()
  return Number(deleted.numDeletedRows)
}

/** Deletes expired keys, and all data of visitors without a key or sign-in, since nobody can access it. */
export async function purgeEndedKeys(database: Database, now: number, limit: number): Promise<number> {
  const ended = await database.selectFrom('visitor_keys').select('key_hash').where('expires_at', '<=', now).limit(limit).execute()
  if (ended.length === 0) return 0
  const hashes = ended.map((key) => key.key_hash)
  return database.transaction().execute(async (transaction) => {
    const keys = await transaction
      .deleteFrom('visitor_keys')
      .where('key_hash', 'in', hashes)
      // It may have been used meanwhile.
      .where('expires_at', '<=', now)
      .returning('visitor_id')
      .execute()
    const ids = [...new Set(keys.map((key) => key.visitor_id))]
    const keyless = ids.length === 0 ? [] : await visitorsWithoutKey(transaction, ids)
    if (keyless.length > 0) {
      await unrestricted(transaction).deleteFrom('sessions').where('owner', 'in', keyless).execute()
      await transaction.deleteFrom('visitors').where('id', 'in', keyless).execute()
    }
    return keys.length
  })
}

/** Deletes expired codes, and attempts made before `triesBefore`. */
export async function purgeTransfers(database: Database, now: number, triesBefore: number): Promise<void> {
  await database.deleteFrom('transfers').where('expires_at', '<=', now).execute()
  await database.deleteFrom('transfer_tries').where('tried_at', '<', triesBefore).execute()
}

async function visitorsWithoutKey(database: Database, ids: string[]): Promise<string[]> {
  const rows = await database
    .selectFrom('visitors')
    .select('id')
    .where('id', 'in', ids)
    .where(({ not, exists, selectFrom }) =>
      not(exists(selectFrom('visitor_keys').select('key_hash').whereRef('visitor_keys.visitor_id', '=', 'visitors.id'))),
    )
    // Signed-in visitors can return by signing in.
    .where(({ not, exists, selectFrom }) =>
      not(exists(selectFrom('identities').select('hash').whereRef('identities.visitor_id', '=', 'visitors.id'))),
    )
    .execute()
  return rows.map((row) => row.id)
}
