import { unrestricted } from './access.ts'
import type { Database } from '../engine/database.ts'
import { deleteVisitorKey, dropOldestKeys, lockVisitor, insertVisitorKey, type NewVisitor, type VisitorKey } from './visitors.ts'

export interface NewSignIn {
  /** `hash` is the HMAC of issuer and subject; `name` what to call them, null when the operator asks for none. */
  identity: { hash: string; name: string | null }
  /** Created if the identity is new. Its key becomes the device's in either case. */
  newVisitor: NewVisitor
  /** The device's previous visitor. */
  from: VisitorKey | null
  maxDevices: number
  now: number
}

/**
 * Assigns the device to the identity's visitor, in one transaction. An anonymous visitor is merged: their sessions move and all their keys
 * are deleted. A signed-in visitor only loses this device's key. Returns the identity's visitor.
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

/** The identity's visitor, created as `newId` if new. Concurrent first sign-ins create one. */
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
  if (await findIdentity(database, visitorId)) {
    await deleteVisitorKey(database, keyHash)
    return
  }
  await lockVisitor(database, visitorId)
  await moveOwned(database, visitorId, to)
  await database.deleteFrom('visitors').where('id', '=', visitorId).execute()
}

/** Moves all owned rows to another owner, who keeps their own on conflicts. */
async function moveOwned(database: Database, from: string, to: string): Promise<void> {
  // Running turns are unaffected: they write by session id.
  await unrestricted(database).updateTable('sessions').set({ owner: to, open_by_id: 0 }).where('owner', '=', from).execute()
  await database.updateTable('accepted_notices').set({ visitor_id: to }).where('visitor_id', '=', from).execute()
  await database.updateTable('waiting_files').set({ owner: to }).where('owner', '=', from).execute()
  const imported = database.selectFrom('imports').select('content_hash').where('owner', '=', to)
  await database.deleteFrom('imports').where('owner', '=', from).where('content_hash', 'in', imported).execute()
  await database.updateTable('imports').set({ owner: to }).where('owner', '=', from).execute()
  const used = database.selectFrom('idempotency_keys').select('key_hash').where('scope', '=', to)
  await database.deleteFrom('idempotency_keys').where('scope', '=', from).where('key_hash', 'in', used).execute()
  await database.updateTable('idempotency_keys').set({ scope: to }).where('scope', '=', from).execute()
}
