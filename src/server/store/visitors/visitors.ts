import { type RawBuilder, sql } from 'kysely'
import { unrestricted, type Access } from './access.ts'
import { type Database, isEmbedded } from '../engine/database.ts'

export interface NewVisitor {
  id: string
  keyHash: string
  /** Expiry of the key in milliseconds since the epoch; undefined lasts as long as the visitor. */
  keyExpiresAt?: number
  sealedKey?: string | undefined
}

/** A key to all of the visitor's data until `expiresAt`; null lasts as long as the visitor. */
export interface VisitorKey {
  visitorId: string
  keyHash: string
  expiresAt: number | null
}

export async function findVisitorKey(database: Database, keyHash: string, now: number): Promise<VisitorKey | undefined> {
  const row = await database
    .selectFrom('visitor_keys')
    .select(['visitor_id', 'expires_at', sql<0 | 1>`case when sealed_key is null then 0 else 1 end`.as('is_sealed')])
    .where('key_hash', '=', keyHash)
    .executeTakeFirst()
  if (!row || (row.expires_at !== null && row.expires_at <= now)) return undefined
  if (row.is_sealed) await database.updateTable('visitor_keys').set({ sealed_key: null }).where('key_hash', '=', keyHash).execute()
  return { visitorId: row.visitor_id, keyHash, expiresAt: row.expires_at }
}

/** The unused first key of the session's visitor, if created after `since`. */
export async function findSealedKey(
  database: Database,
  session: string,
  since: number,
): Promise<{ keyHash: string; sealedKey: string } | undefined> {
  const row = await unrestricted(database)
    .selectFrom('visitor_keys')
    .innerJoin('sessions', 'sessions.owner', 'visitor_keys.visitor_id')
    .select(['visitor_keys.key_hash', 'visitor_keys.sealed_key'])
    .where('sessions.id', '=', session)
    .where('visitor_keys.sealed_key', 'is not', null)
    .where('visitor_keys.created_at', '>', since)
    .executeTakeFirst()
  return row?.sealed_key ? { keyHash: row.key_hash, sealedKey: row.sealed_key } : undefined
}

/** Deletes sealed keys that can't be requested again. */
export async function purgeSealedKeys(database: Database, before: number): Promise<void> {
  await database
    .updateTable('visitor_keys')
    .set({ sealed_key: null })
    .where('sealed_key', 'is not', null)
    .where('created_at', '<=', before)
    .execute()
}

/** Stores a visitor and their first key. Call it in a transaction. */
export async function insertVisitor(database: Database, visitor: NewVisitor, now: number): Promise<void> {
  const { id, keyHash, keyExpiresAt = null, sealedKey = null } = visitor
  await database.insertInto('visitors').values({ id, created_at: now }).execute()
  await insertVisitorKey(database, { visitorId: id, keyHash, expiresAt: keyExpiresAt, sealedKey }, now)
}

/** Gives a visitor one more key, for another device. Fails when the visitor is gone. */
export async function insertVisitorKey(
  database: Database,
  { keyHash, visitorId, expiresAt, sealedKey = null }: VisitorKey & { sealedKey?: string | null },
  now: number,
): Promise<void> {
  await database
    .insertInto('visitor_keys')
    .values({ key_hash: keyHash, visitor_id: visitorId, created_at: now, expires_at: expiresAt, sealed_key: sealedKey })
    .execute()
}

/** Lets a key that ends last until `expiresAt`. */
export async function extendVisitorKey(database: Database, keyHash: string, expiresAt: number): Promise<void> {
  await database
    .updateTable('visitor_keys')
    .set({ expires_at: expiresAt })
    .where('key_hash', '=', keyHash)
    .where('expires_at', 'is not', null)
    .execute()
}

/** When the last of a visitor's keys ends; undefined when one of them lasts. */
export async function endOfVisitorKeys(database: Database, visitorId: string): Promise<number | undefined> {
  const row = await database
    .selectFrom('visitor_keys')
    .select([sql<number | null>`max(expires_at)`.as('last'), sql<number>`count(*) - count(expires_at)`.as('lasting')])
    .where('visitor_id', '=', visitorId)
    .executeTakeFirstOrThrow()
  return row.lasting > 0 ? undefined : (row.last ?? undefined)
}

/** Revokes all keys of a visitor but one. Returns their hashes. */
export async function deleteOtherKeys(database: Database, { visitorId, keyHash }: VisitorKey): Promise<string[]> {
  const deleted = await database
    .deleteFrom('visitor_keys')
    .where('visitor_id', '=', visitorId)
    .where('key_hash', '!=', keyHash)
    .returning('key_hash')
    .execute()
  return deleted.map(({ key_hash }) => key_hash)
}

/** Revokes one key, at once; the visitor's other keys stay. Returns its hash, or nothing if it was revoked before. */
export async function deleteVisitorKey(database: Database, keyHash: string): Promise<string[]> {
  const deleted = await database.deleteFrom('visitor_keys').where('key_hash', '=', keyHash).returning('key_hash').execute()
  return deleted.map(({ key_hash }) => key_hash)
}

/** Leaves a visitor the `max` keys made last. */
export async function dropOldestKeys(database: Database, visitorId: string, max: number): Promise<void> {
  const newest = database
    .selectFrom('visitor_keys')
    .select('key_hash')
    .where('visitor_id', '=', visitorId)
    .orderBy('created_at', 'desc')
    .orderBy('key_hash')
    .limit(max)
  await database.deleteFrom('visitor_keys').where('visitor_id', '=', visitorId).where('key_hash', 'not in', newest).execute()
}

/** Ids of visitors begin so; those of clients that chose their own id do not. */
const VISITOR_PREFIX = 'v_'

/**
 * Whether a principal is still there, and until the end of the transaction: who leaves (moves elsewhere, is forgotten) waits for it,
 * and what the transaction stores is theirs to take along. A client with an id of its own is always there.
 */
export async function lockExistingVisitor(transaction: Database, owner: string): Promise<boolean> {
  if (!owner.startsWith(VISITOR_PREFIX)) return true
  return (await visitorRow(transaction, owner, sql`for key share`).executeTakeFirst()) !== undefined
}

/** Waits for all who store something for the visitor, and keeps others from beginning to. */
export async function lockVisitor(transaction: Database, visitor: string): Promise<void> {
  await visitorRow(transaction, visitor, sql`for update`).execute()
}

/** SQLite has one writer at a time, which is lock enough. */
function visitorRow(transaction: Database, visitor: string, lock: RawBuilder<unknown>) {
  const row = transaction.selectFrom('visitors').select('id').where('id', '=', visitor)
  return row.$if(!isEmbedded(transaction), (query) => query.modifyEnd(lock))
}

export interface Sender {
  owner: string
  access: Access
  newVisitor: NewVisitor | null
  /** Whether the id alone opens the new session, until a credential has used it. */
  openById: boolean
}
