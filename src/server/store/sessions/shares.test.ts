import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { BOTH_DATABASES } from '../../../../test/support/databases.ts'
import { accessOf, storeChat } from '../../../../test/support/stored-chats.ts'
import { openTestDatabase } from '../../../../test/support/test-database.ts'
import { MAX_SHARES } from '../../../contract/size-limits.ts'
import type { Database } from '../engine/database.ts'
import { deleteShare, findSharedChat, insertShare, listShares } from './shares.ts'
import { purgeEnded } from './retention.ts'

const DAY_MS = 24 * 60 * 60 * 1000
const NOW = Date.UTC(2026, 10, 21)

describe.each(BOTH_DATABASES)('shared links on %s', (kind) => {
  let database: Database
  let remove: () => Promise<void>
  beforeAll(async () => {
    ;({ database, remove } = await openTestDatabase(kind))
  })
  afterAll(() => remove())

  const messages = [{ role: 'user' as const, position: 1, parts: [{ type: 'text' as const, text: 'hi' }] }]
  const share = (owner: string | null, id: string, session: string, now = NOW) =>
    insertShare(database, accessOf(owner, now), { id, session, messages, expiresAt: now + DAY_MS })
  const anybody = (now = NOW) => accessOf(null, now)
  const listed = async (owner: string, now = NOW) => (await listShares(database, accessOf(owner, now))).map(({ id }) => id)

  test('show the chat to anybody who has them, until they expire', async () => {
    await storeChat(database, { id: 'chat', owner: 'c_one', at: NOW, title: 'A chat' })
    expect(await share('c_one', 'link', 'chat')).toMatchObject({ id: 'link', session: 'chat', title: 'A chat' })
    expect(await findSharedChat(database, 'link', anybody())).toEqual({
      title: 'A chat',
      createdAt: new Date(NOW).toISOString(),
      expiresAt: new Date(NOW + DAY_MS).toISOString(),
      messages,
    })
    expect(await findSharedChat(database, 'link', anybody(NOW + DAY_MS - 1))).toBeDefined()
    expect(await findSharedChat(database, 'link', anybody(NOW + DAY_MS))).toBeUndefined()
    expect([await listed('c_one', NOW + DAY_MS - 1), await listed('c_one', NOW + DAY_MS)]).toEqual([['link'], []])
    expect(await findSharedChat(database, 'another', anybody())).toBeUndefined()
  })

  test('of an expired chat show nothing', async () => {
    await storeChat(database, { id: 'expired', owner: 'c_expired', at: NOW })
    await insertShare(database, accessOf('c_expired', NOW), { id: 'lasting', session: 'expired', messages, expiresAt: NOW + 99 * DAY_MS })
    expect(await findSharedChat(database, 'lasting', anybody(NOW + 30 * DAY_MS))).toBeDefined()
    expect(await findSharedChat(database, 'lasting', anybody(NOW + 30 * DAY_MS + 1))).toBeUndefined()
  })

  test('are made, listed and revoked by the owner of the chat alone, and not of a temporary one', async () => {
    await storeChat(database, { id: 'mine', owner: 'c_mine', at: NOW })
    await storeChat(database, { id: 'second', owner: 'c_mine', at: NOW })
    await storeChat(database, { id: 'temporary', owner: 'c_mine', at: NOW, temporary: true })
    expect(await share('c_other', 'x', 'mine')).toBeUndefined()
    expect(await share('c_mine', 'x', 'temporary')).toBeUndefined()
    for (const [id, session] of [
      ['a', 'mine'],
      ['b', 'second'],
    ] as const)
      await share('c_mine', id, session)
    expect([await listed('c_mine'), await listed('c_other')]).toEqual([['a', 'b'], []])
    expect(await deleteShare(database, accessOf('c_other', NOW), 'a')).toBe(false)
    expect(await deleteShare(database, accessOf('c_mine', NOW), 'a', 'second')).toBe(false)
    expect(await deleteShare(database, accessOf('c_mine', NOW), 'a', 'mine')).toBe(true)
    expect(await deleteShare(database, accessOf('c_mine', NOW), 'a')).toBe(false)
    expect(await listed('c_mine')).toEqual(['b'])
    expect(await findSharedChat(database, 'a', anybody())).toBeUndefined()
  })

  test('of a chat that its id opens are revoked by who names that id, not by each reader of the link', async () => {
    await storeChat(database, { id: 'open', owner: 'c_open', at: NOW, openById: true })
    await share(null, 'read-by-all', 'open')
    expect(await deleteShare(database, anybody(), 'read-by-all')).toBe(false)
    expect(await deleteShare(database, anybody(), 'read-by-all', 'open')).toBe(true)
  })

  test('have a limit per visitor', async () => {
    await storeChat(database, { id: 'full', owner: 'c_full', at: NOW })
    for (let count = 0; count < MAX_SHARES; count += 1) await share('c_full', `full-${count}`, 'full')
    expect(await share('c_full', 'one-more', 'full')).toBe('full')
    expect(await share('c_full', 'after-they-expired', 'full', NOW + DAY_MS)).toMatchObject({ id: 'after-they-expired' })
  })

  test('are deleted when they have expired, as many as asked for', async () => {
    await database.deleteFrom('shares').execute()
    await storeChat(database, { id: 'old', owner: 'c_old', at: NOW })
    for (const id of ['old-1', 'old-2']) await share('c_old', id, 'old')
    await share('c_old', 'newer', 'old', NOW + 1)
    expect(await purgeEnded(database, 'shares', NOW + DAY_MS - 1, 9)).toBe(0)
    expect(await purgeEnded(database, 'shares', NOW + DAY_MS, 1)).toBe(1)
    expect(await purgeEnded(database, 'shares', NOW + DAY_MS, 9)).toBe(1)
    expect(await listed('c_old')).toEqual(['newer'])
  })
})
