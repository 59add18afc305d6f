import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { rejection } from '../../src/contract/rejection.ts'
import { unrestricted } from '../../src/server/store/visitors/access.ts'
import type { Database } from '../../src/server/store/engine/database.ts'
import { eraseOwned } from '../../src/server/store/sessions/erasure.ts'
import { findIdentity, signInVisitor } from '../../src/server/store/visitors/identities.ts'
import { purgeEndedKeys, purgeVisitors } from '../../src/server/store/sessions/retention.ts'
import { insertPrompt, type NewPrompt } from '../../src/server/store/turns/turns.ts'
import { deleteVisitorKey, endOfVisitorKeys, findVisitorKey, insertVisitor } from '../../src/server/store/visitors/visitors.ts'
import { BOTH_DATABASES } from '../support/databases.ts'
import { openTestDatabase } from '../support/test-database.ts'

const DAY_MS = 24 * 60 * 60 * 1000
const NOW = Date.UTC(2026, 10, 21)

describe.each(BOTH_DATABASES)('identities on %s', (kind) => {
  let database: Database
  let remove: () => Promise<void>
  beforeAll(async () => {
    ;({ database, remove } = await openTestDatabase(kind))
  })
  afterAll(() => remove())

  const signIn = (hash: string, keyHash: string, now: number, from: string | null = null, keyExpiresAt?: number) =>
    signInVisitor(database, {
      identity: { hash, name: null },
      newVisitor: { id: `v_${keyHash}`, keyHash, ...(keyExpiresAt !== undefined && { keyExpiresAt }) },
      from: from === null ? null : { visitorId: `v_${from}`, keyHash: from, expiresAt: null },
      maxDevices: 3,
      now,
    })

  test('signing in moves every column that names an owner (a new column has to be added here)', async () => {
    const tables = await database.introspection.getTables()
    const naming = tables.flatMap(({ name, columns }) => columns.map((column) => `${name}.${column.name}`))
    expect(naming.filter((column) => /\.(owner|scope|visitor|visitor_id)$/.test(column)).toSorted()).toEqual([
      'accepted_notices.visitor_id',
      'idempotency_keys.scope',
      // Deleted with the visitor.
      'identities.visitor_id',
      'imports.owner',
      // How much of the chat it contains.
      'reports.scope',
      'sessions.owner',
      'transfers.visitor_id',
      'visitor_keys.visitor_id',
      'waiting_files.owner',
    ])
  })

  test('data that both have is kept once', async () => {
    await signIn('both', 'account', NOW)
    await insertVisitor(database, { id: 'v_anonymous', keyHash: 'anonymous' }, NOW)
    const session = { agent: 'assistant', title: '', open_by_id: 1, temporary: 0, created_at: NOW, updated_at: NOW }
    for (const owner of ['v_account', 'v_anonymous']) {
      await unrestricted(database)
        .insertInto('sessions')
        .values({ ...session, id: `s_${owner}`, owner })
        .execute()
      const turn = { session_id: `s_${owner}`, prompt_id: 'm', status: 'done' as const, code: null, instance: 'here', ended_at: NOW }
      await database
        .insertInto('turns')
        .values({ ...turn, id: `t_${owner}`, started_at: NOW })
        .execute()
      for (const hash of ['same', owner]) {
        const used = { scope: owner, key_hash: hash, request_hash: 'r', turn_id: `t_${owner}`, created_at: NOW }
        await database.insertInto('idempotency_keys').values(used).execute()
      }
      await database
        .insertInto('imports')
        .values({ session_id: `s_${owner}`, owner, content_hash: 'same' })
        .execute()
    }
    expect(await signIn('both', 'second', NOW, 'anonymous')).toBe('v_account')
    const rows = async (table: 'imports' | 'idempotency_keys') => (await database.selectFrom(table).selectAll().execute()).length
    expect([await rows('imports'), await rows('idempotency_keys')]).toEqual([1, 3])
    const owned = await unrestricted(database)
      .selectFrom('sessions')
      .select(['owner', 'open_by_id'])
      .where('id', '=', 's_v_anonymous')
      .execute()
    expect(owned).toEqual([{ owner: 'v_account', open_by_id: 0 }])
  })

  test('recently signed-in visitors are kept even without a chat; others are deleted with their identity', async () => {
    const idle = await signIn('idle', 'idle', NOW - 40 * DAY_MS)
    const back = await signIn('back', 'back', NOW - 40 * DAY_MS)
    await signIn('back', 'new key', NOW - DAY_MS)
    await purgeVisitors(database, NOW - 30 * DAY_MS, '', 100)
    expect(await findIdentity(database, idle)).toBeUndefined()
    expect(await findIdentity(database, back)).toEqual({ name: null })
    expect(await findVisitorKey(database, 'new key', NOW)).toMatchObject({ visitorId: back })
  })

  test('with too many devices, those that signed in last are kept', async () => {
    for (let device = 1; device <= 5; device += 1) await signIn('many', `device ${device}`, NOW + device)
    const opens = async (device: number) => (await findVisitorKey(database, `device ${device}`, NOW)) !== undefined
    expect(await Promise.all([1, 2, 3, 4, 5].map(opens))).toEqual([false, false, true, true, true])
  })

  test('the end of a shared computer’s key deletes nothing of a visitor who can sign in again', async () => {
    const visitor = await signIn('shared', 'shared key', NOW - 2, null, NOW - 1)
    expect(await endOfVisitorKeys(database, visitor)).toBeUndefined()
    expect(await purgeEndedKeys(database, NOW, 100)).toBe(1)
    expect(await findIdentity(database, visitor)).toEqual({ name: null })
    expect(await signIn('shared', 'next key', NOW)).toBe(visitor)
    await deleteVisitorKey(database, 'next key')
    expect(await findIdentity(database, visitor)).toEqual({ name: null })
  })

  test.each([
    ['signs in', () => signIn('meanwhile', 'signed in', NOW, 'leaving')],
    ['is forgotten', () => eraseOwned(database, 'v_leaving')],
  ])('a prompt of a visitor who %s concurrently moves along, or is rejected', async (_, leave) => {
    await insertVisitor(database, { id: 'v_leaving', keyHash: 'leaving' }, NOW)
    const send = (index: number) => insertPrompt(database, promptOf('v_leaving', index))
    const sending = [send(1), send(2)]
    const leaving = leave()
    const outcomes = await Promise.all([...sending, send(3), send(4)])
    await leaving
    expect(await send(5)).toEqual(rejection('unauthorized'))
    expect(
      outcomes.every((outcome) => outcome.kind === 'accepted' || (outcome.kind === 'rejected' && outcome.code === 'unauthorized')),
    ).toBe(true)
    expect(await unrestricted(database).selectFrom('sessions').select('id').where('owner', '=', 'v_leaving').execute()).toEqual([])
    await unrestricted(database).deleteFrom('sessions').where('id', 'like', 's_leaving%').execute()
  })
})

function promptOf(owner: string, index: number): NewPrompt {
  return {
    id: `t_leaving${index}`,
    instance: 'here',
    now: NOW,
    claim: null,
    reservationsFor: () => [],
    count: async () => undefined,
    message: { id: `m_leaving${index}`, role: 'user', parts: [{ type: 'text', text: 'hi' }] },
    continues: null,
    newSession: { id: `s_leaving${index}`, owner, agent: 'assistant', title: '', openById: false },
    newVisitor: null,
  }
}
