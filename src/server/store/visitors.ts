import type { Database } from './database.ts'

export interface NewVisitor {
  id: string
  keyHash: string
}

/** A key that opens all that its visitor has. It opens nothing from `expiresAt` on; null lasts as long as the visitor. */
export interface NewVisitorKey {
  visitorId: string
  keyHash: string
  expiresAt: number | null
}

/** The id of the visitor whose key has this hash. */
export async function findVisitorByKeyHash(database: Database, keyHash: string): Promise<string | undefined> {
  const row = await database.selectFrom('visitor_keys').select('visitor_id').where('key_hash', '=', keyHash).executeTakeFirst()
  return row?.visitor_id
}

/** Stores a visitor and their first key. To be called in a transaction. */
export async function insertVisitor(database: Database, visitor: NewVisitor, now: number): Promise<void> {
  await database.insertInto('visitors').values({ id: visitor.id, created_at: now }).execute()
  await insertVisitorKey(database, { visitorId: visitor.id, keyHash: visitor.keyHash, expiresAt: null }, now)
}

/** Gives a visitor one more key, for another device. Fails when the visitor is gone. */
export async function insertVisitorKey(database: Database, { keyHash, visitorId, expiresAt }: NewVisitorKey, now: number): Promise<void> {
  await database
    .insertInto('visitor_keys')
    .values({ key_hash: keyHash, visitor_id: visitorId, created_at: now, expires_at: expiresAt })
    .execute()
}

/** Revokes one key, at once; the visitor's other keys stay. */
export async function deleteVisitorKey(database: Database, keyHash: string): Promise<void> {
  await database.deleteFrom('visitor_keys').where('key_hash', '=', keyHash).execute()
}
