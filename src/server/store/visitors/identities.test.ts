import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { ChatMessage } from '../../../contract/chat/message.ts'
import { unrestricted } from './access.ts'
import type { Database } from '../engine/database.ts'
import { openDatabase } from '../engine/open-database.ts'
import { countEverything } from '../sessions/erasure.ts'
import { claimKey } from '../turns/idempotency.ts'
import { findIdentity, signInVisitor } from './identities.ts'
import { insertPrompt } from '../turns/turns.ts'
import { endOfVisitorKeys, findVisitorKey, insertVisitor } from './visitors.ts'

const directory = mkdtempSync(join(tmpdir(), 'parley-identities-'))
let database: Database
beforeAll(async () => {
  database = await openDatabase({ kind: 'sqlite', directory }, () => undefined)
})
afterAll(async () => {
  await database.destroy()
  rmSync(directory, { recursive: true })
})

let made = 0

/** An anonymous visitor with a chat per hash, created by an import with it and by a prompt with a key of that hash. */
async function newVisitor(...hashes: string[]): Promise<string> {
  const id = `v_${(made += 1)}`
  await insertVisitor(database, { id, keyHash: `key of ${id}` }, 0)
  for (const hash of hashes) {
    const message: ChatMessage = { id: `m_${id}`, role: 'user', parts: [{ type: 'text', text: 'hello' }] }
    const claim = { scopes: [id], keyHash: hash, requestHash: 'request' }
    const newSession = { id: `s_${id}_${hash}`, owner: id, agent: 'assistant', title: 'hello', openById: false }
    await insertPrompt(database, {
      id: `t_${id}_${hash}`,
      instance: 'test',
      now: 1,
      message,
      continues: null,
      newVisitor: null,
      claim,
      reservationsFor: () => [],
      count: async () => undefined,
      newSession,
    })
    await database.insertInto('imports').values({ owner: id, content_hash: hash, session_id: newSession.id }).execute()
    const file = { name: 'a file', media_type: 'text/plain' as const, size: 1, created_at: 1, text: 'x', content: Buffer.from('x') }
    await database
      .insertInto('waiting_files')
      .values({ ...file, id: `f_${id}_${hash}`, owner: id })
      .execute()
  }
  return id
}

async function signIn(subject: string, from: string | null): Promise<string> {
  const id = `v_${(made += 1)}`
  return signInVisitor(database, {
    identity: { hash: subject, name: null },
    newVisitor: { id, keyHash: `key of ${id}` },
    from: from === null ? null : { visitorId: from, keyHash: `key of ${from}`, expiresAt: null },
    maxDevices: 20,
    now: 2,
  })
}

/** Data of a principal, as the ids of the visitors for whom it was created. */
async function ownershipOf(owner: string) {
  const sessions = await unrestricted(database)
    .selectFrom('sessions')
    .select('id')
    .where('owner', '=', owner)
    .where('open_by_id', '=', 0)
    .orderBy('id')
    .execute()
  const imports = await database
    .selectFrom('imports')
    .select(['content_hash', 'session_id'])
    .where('owner', '=', owner)
    .orderBy('content_hash')
    .execute()
  const files = await database.selectFrom('waiting_files').select('id').where('owner', '=', owner).orderBy('id').execute()
  const keys = await database
    .selectFrom('idempotency_keys')
    .select(['key_hash', 'turn_id'])
    .where('scope', '=', owner)
    .orderBy('key_hash')
    .execute()
  return {
    sessions: sessions.map(({ id }) => id),
    files: files.map(({ id }) => id),
    imports: imports.map((row) => `${row.content_hash} ${row.session_id}`),
    keys: keys.map((row) => `${row.key_hash} ${row.turn_id}`),
  }
}

test('signing in moves the visitor’s data, keeps the account’s, and affects nobody else', async () => {
  const first = await newVisitor('a', 'b')
  const second = await newVisitor('b', 'c')
  const stranger = await newVisitor('a', 'b', 'c', 'd')
  const before = await ownershipOf(stranger)
  const visitor = await signIn('subject', first)
  expect(await signIn('subject', second)).toBe(visitor)
  expect(await ownershipOf(visitor)).toEqual({
    sessions: [`s_${first}_a`, `s_${first}_b`, `s_${second}_b`, `s_${second}_c`],
    files: [`f_${first}_a`, `f_${first}_b`, `f_${second}_b`, `f_${second}_c`],
    imports: [`a s_${first}_a`, `b s_${first}_b`, `c s_${second}_c`],
    keys: [`a t_${first}_a`, `b t_${first}_b`, `c t_${second}_c`],
  })
  expect(await ownershipOf(stranger)).toEqual(before)
  expect(await countEverything(database, stranger)).toMatchObject({ chats: 4, 'imported chats': 4 })
})

test('signing in moves data that the account lacks, even if a third visitor has the same', async () => {
  const [visitor, joining] = [await signIn('another subject', await newVisitor('x')), await newVisitor('y')]
  await newVisitor('y')
  await signIn('another subject', joining)
  expect((await ownershipOf(visitor)).imports.map((row) => row[0])).toEqual(['x', 'y'])
  expect((await ownershipOf(visitor)).keys.map((row) => row[0])).toEqual(['x', 'y'])
})

test('signing in to another account leaves the first one its chats, and takes its key from the device', async () => {
  const anonymous = await newVisitor('first')
  const account = await signIn('one account', anonymous)
  const before = await ownershipOf(account)
  const [key] = await database.selectFrom('visitor_keys').select('key_hash').where('visitor_id', '=', account).execute()
  await signInVisitor(database, {
    identity: { hash: 'other account', name: null },
    newVisitor: { id: 'v_other', keyHash: 'other key' },
    from: { visitorId: account, keyHash: key!.key_hash, expiresAt: null },
    maxDevices: 20,
    now: 3,
  })
  expect(await findVisitorKey(database, key!.key_hash, 3)).toBeUndefined()
  expect(await ownershipOf(account)).toEqual(before)
  expect((await ownershipOf('v_other')).sessions).toEqual([])
})

test('two visitors can use the same key independently', async () => {
  const [first, second] = [await newVisitor('shared key'), await newVisitor('shared key')]
  for (const id of [first, second]) {
    const claim = { scopes: [id], keyHash: 'shared key', requestHash: 'request' }
    expect(await claimKey(database, claim, 'unused', 3)).toEqual({ kind: 'repeated', turnId: `t_${id}_shared key` })
  }
})

test('a shared computer’s key expires without the data of a visitor who can sign in again', async () => {
  const signedIn = await signIn('a third subject', null)
  await database.updateTable('visitor_keys').set({ expires_at: 100 }).where('visitor_id', '=', signedIn).execute()
  await insertVisitor(database, { id: 'v_anonymous', keyHash: 'of a shared computer', keyExpiresAt: 100 }, 0)
  expect(await endOfVisitorKeys(database, signedIn)).toBeUndefined()
  expect(await endOfVisitorKeys(database, 'v_anonymous')).toBe(100)
  expect(await findIdentity(database, 'v_anonymous')).toBeUndefined()
})
