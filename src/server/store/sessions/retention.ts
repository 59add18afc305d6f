import { sql } from 'kysely'
import { unrestricted } from '../visitors/access.ts'
import { countOf, type Database } from '../engine/database.ts'
import { settleDeletedTurns } from '../turns/deleted-turns.ts'
import { deleteDependentRows, expireSessions, firstBatch, weighExpiredSessions } from './session-batches.ts'

// Each deletes up to `limit` rows, with what depends on them, and returns how many, unless documented otherwise. Safe to run in several
// processes.

export interface PurgedSessions {
  sessions: number
  /** Rows deleted with them, roughly; 0 if nothing was left to delete. */
  rows: number
}

/**
 * Deletes sessions without activity since `before`, with up to about `limit` rows. A session with more rows than that is
 * emptied first, over several calls, and can't be opened meanwhile, whatever the retention.
 */
export async function purgeSessions(database: Database, before: number, limit: number): Promise<PurgedSessions> {
  const batch = firstBatch(await weighExpiredSessions(database, before, limit), limit)
  const [first] = batch
  if (!first) return { sessions: 0, rows: 0 }
  if (first.rows > limit) {
    await expireSessions(database, [first.id])
    const rows = await deleteDependentRows(database, first.id, limit)
    if (rows > 0) return { sessions: 0, rows }
  }
  const ids = batch.map(({ id }) => id)
  const deleted = await unrestricted(database)
    .deleteFrom('sessions')
    .where('id', 'in', ids)
    .where('updated_at', '<', before)
    .executeTakeFirst()
  return { sessions: Number(deleted.numDeletedRows), rows: batch.reduce((sum, { rows }) => sum + rows, 0) }
}

/** Deletes visitors without session or recent key among `limit` after id `after`. Returns the last examined id; undefined at the end. */
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

/**
 * Deletes expired keys, and visitors without another key, since nobody can access their data. Their sessions expire: up to
 * `limit` a call, and the visitor goes with the last. Returns the number of keys and sessions; 0 if none is left.
 */
export async function purgeEndedKeys(database: Database, now: number, limit: number): Promise<number> {
  const [ended] = await database.selectFrom('visitor_keys').select('key_hash').where('expires_at', '<=', now).limit(1).execute()
  if (!ended) return 0
  return database.transaction().execute(async (transaction) => {
    const key = await lockEndedKey(transaction, ended.key_hash, now)
    // It was used meanwhile, or another process has deleted it.
    if (!key) return 1
    const isLast = await isOnlyAccess(transaction, key)
    const expired = isLast ? await expireSessionsOf(transaction, key.visitor_id, limit) : 0
    if (expired === limit) return expired
    await transaction.deleteFrom('visitor_keys').where('key_hash', '=', ended.key_hash).execute()
    if (isLast) await transaction.deleteFrom('visitors').where('id', '=', key.visitor_id).execute()
    return expired + 1
  })
}

interface EndedKey {
  key_hash: string
  visitor_id: string
}

function lockEndedKey(transaction: Database, hash: string, now: number): Promise<EndedKey | undefined> {
  return transaction
    .updateTable('visitor_keys')
    .set({ sealed_key: null })
    .where('key_hash', '=', hash)
    .where('expires_at', '<=', now)
    .returning(['key_hash', 'visitor_id'])
    .executeTakeFirst()
}

async function expireSessionsOf(transaction: Database, owner: string, limit: number): Promise<number> {
  const rows = await unrestricted(transaction)
    .selectFrom('sessions')
    .select('id')
    .where('owner', '=', owner)
    .where('updated_at', '>', 0)
    .limit(limit)
    .execute()
  const ids = rows.map(({ id }) => id)
  if (ids.length === 0) return 0
  await settleDeletedTurns(transaction, ids)
  await expireSessions(transaction, ids)
  return ids.length
}

async function isOnlyAccess(database: Database, { key_hash: hash, visitor_id: visitor }: EndedKey): Promise<boolean> {
  return (await countOf(database.selectFrom('visitor_keys').where('visitor_id', '=', visitor).where('key_hash', '!=', hash))) === 0
}

/** Tables whose rows end at a time: their keys, and when a row has ended at a time. */
const ENDING = {
  transfers: { key: 'code_hash', hasEnded: (time: number) => sql`expires_at <= ${time}` },
  reports: { key: 'id', hasEnded: (time: number) => sql`expires_at <= ${time}` },
  quota_counts: { key: 'key', hasEnded: (time: number) => sql`ends_at < ${time}` },
  budgets: { key: 'account', hasEnded: (time: number) => sql`ends_at < ${time}` },
  waiting_files: { key: 'id', hasEnded: (time: number) => sql`created_at < ${time}` },
}

export async function purgeEnded(database: Database, table: keyof typeof ENDING, time: number, limit: number): Promise<number> {
  const { key, hasEnded } = ENDING[table]
  const ended = sql`select ${sql.ref(key)} from ${sql.table(table)} where ${hasEnded(time)} limit ${limit}`
  const { numAffectedRows = 0n } = await sql`delete from ${sql.table(table)} where ${sql.ref(key)} in (${ended})`.execute(database)
  return Number(numAffectedRows)
}
