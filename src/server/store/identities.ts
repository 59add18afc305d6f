import { unrestricted } from './access.ts'
import type { Database } from './database.ts'
import { deleteVisitorKey, dropOldestKeys, lockVisitor, insertVisitorKey, type NewVisitor, type VisitorKey } from './visitors.ts'

export interface NewSignIn {
  /** `hash` is the HMAC of issuer and subject; `name` what to call them, null when the operator asks for none. */
  identity: { hash: string; name: string | null }
  /** Made when the identity is new here. Its key is the device's new one in either case. */
  newVisitor: NewVisitor
  /** Whom the device was before. */
  from: VisitorKey | null
  maxDevices: number
  now: number
}

/**
 * Makes the device one of the identity's visitor, in one transaction. An anonymous visitor's sessions go along and the visitor
 * goes, with every key; of one who was signed in already only the device's key goes, the sessions stay theirs. Returns the identity's visitor.
 */
export async function signInVisitor(database: Database, { identity, newVisitor, from, maxDevices, now }: NewSignIn): Promise<string> {
  return database.transaction().execute(async (transaction) => {
    const visitor = await visitorOfIdentity(transaction, identity, newVisitor.id, now)
    await insertVisitorKey(
      transaction,
      { visitorId: visitor, keyHash: newVisitor.keyHash, expiresAt: newVisitor.keyExpiresAt ?? null },
      now,
    )
    await dropOldestKeys(transaction, visitor, maxDevices)
    if (from) await leaveVisitor(transaction, from, visitor)
    return visitor
  })
}

/** The identity of a visitor who signed in. */
export async function findIdentity(database: Database, visitor: string): Promise<{ name: string | null } | undefined> {
  return database.selectFrom('identities').select('name').where('visitor_id', '=', visitor).executeTakeFirst()
}

/** The identity's visitor, made under `newId` when there is none; of devices that sign in together for the first time one makes it. */
async function visitorOfIdentity(database: Database, { hash, name }: NewSignIn['identity'], newId: string, now: number): Promise<string> {
  await database.insertInto('visitors').values({ id: newId, created_at: now }).execute()
  const { visitor_id: visitor } = await database
    .insertInto('identities')
    .values({ hash, visitor_id: newId, name, created_at: now })
    .onConflict((conflict) => conflict.column('hash').doUpdateSet({ name }))
    .returning('visitor_id')
    .executeTakeFirstOrThrow()
  if (visitor !== newId) await database.deleteFrom('visitors').where('id', '=', newId).execute()
  return visitor
}

async function leaveVisitor(database: Database, { visitorId, keyHash }: VisitorKey, to: string): Promise<void> {
  if (await findIdentity(database, visitorId)) return deleteVisitorKey(database, keyHash)
  await lockVisitor(database, visitorId)
  await moveOwned(database, visitorId, to)
  await database.deleteFrom('visitors').where('id', '=', visitorId).execute()
}

/** Gives everything that names its owner to another one. What both have stays the one that the other had. */
async function moveOwned(database: Database, from: string, to: string): Promise<void> {
  // Running turns do not notice: they write by the session's id.
  await unrestricted(database).updateTable('sessions').set({ owner: to, open_by_id: 0 }).where('owner', '=', from).execute()
  await database.updateTable('waiting_files').set({ owner: to }).where('owner', '=', from).execute()
  const imported = database.selectFrom('imports').select('content_hash').where('owner', '=', to)
  await database.deleteFrom('imports').where('owner', '=', from).where('content_hash', 'in', imported).execute()
  await database.updateTable('imports').set({ owner: to }).where('owner', '=', from).execute()
  const used = database.selectFrom('idempotency_keys').select('key_hash').where('scope', '=', to)
  await database.deleteFrom('idempotency_keys').where('scope', '=', from).where('key_hash', 'in', used).execute()
  await database.updateTable('idempotency_keys').set({ scope: to }).where('scope', '=', from).execute()
}
