import { sql } from 'kysely'
import type { Database } from './database.ts'

export interface NewVisitor {
  id: string
  keyHash: string
  /** When the key ends, milliseconds since the epoch; one without lasts as long as the visitor. */
  keyExpiresAt?: number
}

/** A key that opens all that its visitor has. It opens nothing from `expiresAt` on; null lasts as long as the visitor. */
export interface VisitorKey {
  visitorId: string
  keyHash: string
  expiresAt: number | null
}

/** The key with this hash, if it still opens something. */
export async function findVisitorKey(database: Database, keyHash: string, now: number): Promise<VisitorKey | undefined> {
  const row = await database
    .selectFrom('visitor_keys')
    .select(['visitor_id', 'expires_at'])
    .where('key_hash', '=', keyHash)
    .executeTakeFirst()
  if (!row || (row.expires_at !== null && row.expires_at <= now)) return undefined
  return { visitorId: row.visitor_id, keyHash, expiresAt: row.expires_at }
}

/** Stores a visitor and their first key. To be called in a transaction. */
export async function insertVisitor(database: Database, visitor: NewVisitor, now: number): Promise<void> {
  const { id, keyHash, keyExpiresAt = null } = visitor
  await database.insertInto('visitors').values({ id, created_at: now }).execute()
  await insertVisitorKey(database, { visitorId: id, keyHash, expiresAt: keyExpiresAt }, now)
}

/** Gives a visitor one more key, for another device. Fails when the visitor is gone. */
export async function insertVisitorKey(database: Database, { keyHash, visitorId, expiresAt }: VisitorKey, now: number): Promise<void> {
  await database
    .insertInto('visitor_keys')
    .values({ key_hash: keyHash, visitor_id: visitorId, created_at: now, expires_at: expiresAt })
    .execute()
}

/** Lets a key that ends last until `expiresAt`. */
export async function prolongVisitorKey(database: Database, keyHash: string, expiresAt: number): Promise<void> {
  await database
    .updateTable('visitor_keys')
    .set({ expires_at: expiresAt })
    .where('key_hash', '=', keyHash)
    .where('expires_at', 'is not', null)
    .execute()
}

/** When the last of a visitor's keys ends; undefined when one of them lasts, and for who can sign in to get another. */
export async function endOfVisitorKeys(database: Database, visitorId: string): Promise<number | undefined> {
  const row = await database
    .selectFrom('visitor_keys')
    .select([sql<number | null>`max(expires_at)`.as('last'), sql<number>`count(*) - count(expires_at)`.as('lasting')])
    .where('visitor_id', '=', visitorId)
    .where(({ not, exists, selectFrom }) =>
      not(exists(selectFrom('identities').select('hash').where('identities.visitor_id', '=', visitorId))),
    )
    .executeTakeFirstOrThrow()
  return row.lasting > 0 ? undefined : (row.last ?? undefined)
}

/** Revokes all keys of a visitor but one. Returns how many. */
export async function deleteOtherKeys(database: Database, { visitorId, keyHash }: VisitorKey): Promise<number> {
  const deleted = await database
    .deleteFrom('visitor_keys')
    .where('visitor_id', '=', visitorId)
    .where('key_hash', '!=', keyHash)
    .executeTakeFirst()
  return Number(deleted.numDeletedRows)
}

/** Revokes one key, at once; the visitor's other keys stay. */
export async function deleteVisitorKey(database: Database, keyHash: string): Promise<void> {
  await database.deleteFrom('visitor_keys').where('key_hash', '=', keyHash).execute()
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
