import type { Database } from './database.ts'

export interface NewVisitor {
  id: string
  keyHash: string
}

/** The id of the visitor whose key has this hash. */
export async function findVisitorByKeyHash(database: Database, keyHash: string): Promise<string | undefined> {
  const row = await database.selectFrom('visitors').select('id').where('key_hash', '=', keyHash).executeTakeFirst()
  return row?.id
}

export async function insertVisitor(database: Database, visitor: NewVisitor, now: number): Promise<void> {
  await database.insertInto('visitors').values({ id: visitor.id, key_hash: visitor.keyHash, created_at: now }).execute()
}
