import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Database } from '../store/engine/database.ts'
import { openDatabase } from '../store/engine/open-database.ts'
import type { Settings } from '../config/config.ts'
import { SHARED_DEVICE_MS } from '../../contract/chat/retention.ts'
import { findVisitorKey, insertVisitor } from '../store/visitors/visitors.ts'
import { createResolver, type Credentials } from './resolve.ts'
import { hashOfVisitorKey, isStrongClientId, newSub, newVisitorKey } from './visitor-key.ts'

const directory = mkdtempSync(join(tmpdir(), 'parley-resolve-'))
const key = newVisitorKey()
const sub = newSub()
let database: Database

beforeAll(async () => {
  database = await openDatabase({ kind: 'sqlite', directory }, () => undefined)
  await insertVisitor(database, { id: sub, keyHash: hashOfVisitorKey(key) }, 0)
})
afterAll(async () => {
  await database.destroy()
  rmSync(directory, { recursive: true })
})

const STRONG_ID = '1b4e28ba-2fa1-41d2-883f-0016d3cca427'
const none: Credentials = { cookies: [], authorization: undefined, fromHere: false }
const cookie: Credentials = { cookies: [key], authorization: undefined, fromHere: false }

async function callerOf(credentials: Credentials, id: string, clientIds: Settings['clientIds'] = 'strong', now = 5000, chosen?: string) {
  const time = { retentionMs: 1000, now: () => now }
  const resolve = createResolver({
    database,
    installationKey: 'k'.repeat(32),
    clientIds,
    isAgent: (named) => named === 'assistant',
    ...time,
  })
  const resolution = await resolve(credentials, id, chosen)
  if (resolution.kind === 'rejected') throw new Error(resolution.code)
  return resolution.caller
}

test.each(['assistant', 'me', sub])('lists and continues own sessions for a valid credential and %s', async (id) => {
  expect(await callerOf(cookie, id)).toMatchObject({ access: { owner: sub, credential: true }, lists: sub, continues: true })
})

test('lists nothing and starts a new session for a valid credential and any other id', async () => {
  expect(await callerOf(cookie, STRONG_ID)).toMatchObject({ access: { owner: sub }, lists: null, continues: false })
  expect(await callerOf(cookie, newSub())).toMatchObject({ access: { owner: sub }, lists: null, continues: false })
})

test('uses an accepted client-chosen id as the principal, and stores only its hash', async () => {
  const caller = await callerOf(none, STRONG_ID)
  expect(caller.lists).toMatch(/^c_/)
  expect(caller.lists).not.toContain(STRONG_ID)
  expect(caller.access).toEqual({ owner: caller.lists, credential: false, now: 5000, retentionMs: 1000 })
})

test('uses an id beside an agent as the principal, unless there is a credential', async () => {
  const { lists } = await callerOf(none, STRONG_ID)
  expect(await callerOf(none, 'assistant', 'strong', 5000, STRONG_ID)).toMatchObject({ lists, agent: 'assistant', continues: true })
  expect(await callerOf(cookie, 'assistant', 'strong', 5000, STRONG_ID)).toMatchObject({ lists: sub, agent: 'assistant' })
  expect((await callerOf(none, 'assistant', 'strong', 5000, 'user-1')).lists).toBeNull()
  await expect(callerOf(none, 'another-id', 'any', 5000, STRONG_ID)).rejects.toThrow('invalid_request')
})

test.each(['assistant', 'me', newSub(), 'user-1'])('identifies nobody without a credential under %s', async (id) => {
  expect(await callerOf(none, id)).toMatchObject({ access: { owner: null, credential: false }, lists: null })
})

test('accepts guessable ids only if the operator allows them', async () => {
  expect((await callerOf(none, 'user-1', 'any')).lists).toMatch(/^c_/)
  expect((await callerOf(none, STRONG_ID, 'none')).lists).toBeNull()
})

test('accepts guessable ids from this machine by default', async () => {
  expect((await callerOf({ ...none, fromHere: true }, 'user-1', 'any-here')).lists).toMatch(/^c_/)
  expect((await callerOf(none, 'user-1', 'any-here')).lists).toBeNull()
  expect((await callerOf({ ...none, fromHere: true }, 'user-1')).lists).toBeNull()
})

test.each(['me', 'assistant'])('never treats %s as client-chosen, because everybody uses it', async (id) => {
  expect(await callerOf(none, id, 'any')).toMatchObject({ access: { owner: null }, lists: null })
})

test('never treats an id shaped like a visitor’s as client-chosen', async () => {
  expect((await callerOf(none, newSub(), 'any')).lists).toBeNull()
})

test('rejects a bearer that is unknown, malformed, or differs from the cookie', async () => {
  const bearer = (value: string) => ({ cookies: [], authorization: value, fromHere: false })
  expect((await callerOf(bearer(`Bearer ${key}`), 'me')).lists).toBe(sub)
  await expect(callerOf(bearer(`Bearer ${newVisitorKey()}`), 'me')).rejects.toThrow('unauthorized')
  await expect(callerOf(bearer('Basic dTpw'), 'me')).rejects.toThrow('unauthorized')
  await expect(callerOf(bearer('Bearer eyJhbGciOiJub25lIn0.e30.'), 'me')).rejects.toThrow('unauthorized')
  await expect(callerOf({ cookies: [newVisitorKey()], authorization: `Bearer ${key}`, fromHere: false }, 'me')).rejects.toThrow(
    'invalid_request',
  )
})

test.each([[[newVisitorKey()]], [['short']], [[key, key]]])('ignores and clears an unknown cookie', async (cookies) => {
  expect(await callerOf({ cookies, authorization: undefined, fromHere: false }, 'me')).toMatchObject({ lists: null, staleCookie: true })
})

test('extends the key of a shared computer on use, and not with each request', async () => {
  const shared = newVisitorKey()
  const keyHash = hashOfVisitorKey(shared)
  await insertVisitor(database, { id: newSub(), keyHash, keyExpiresAt: SHARED_DEVICE_MS }, 0)
  const endAfterUseAt = async (now: number) => {
    const { access } = await callerOf({ ...none, cookies: [shared] }, 'me', 'strong', now)
    const expiresAt = (await findVisitorKey(database, keyHash, now))?.expiresAt
    expect(access.endsAt).toBe(expiresAt)
    return expiresAt
  }
  const [soon, later] = [5 * 60_000, 5 * 60_000 + 1]
  expect(await endAfterUseAt(soon)).toBe(SHARED_DEVICE_MS)
  expect(await endAfterUseAt(later)).toBe(later + SHARED_DEVICE_MS)
})

test('distinguishes strong ids from guessable ones', () => {
  expect(isStrongClientId(STRONG_ID)).toBe(true)
  expect(isStrongClientId('Zq3vT9xKp2LmW8sRb4nYcD')).toBe(true)
  expect(isStrongClientId('aaaaaaaaaaaaaaaaaaaaaaaaaaaa')).toBe(false)
  expect(isStrongClientId('00000000-0000-0000-0000-000000000000')).toBe(false)
  expect(isStrongClientId('user-1')).toBe(false)
})
