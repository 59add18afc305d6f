import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { BOTH_DATABASES } from '../../../../test/support/databases.ts'
import { openTestDatabase } from '../../../../test/support/test-database.ts'
import type { Database } from '../engine/database.ts'
import {
  confirmStaffSession,
  countOwners,
  deleteExpiredStaffAccess,
  deleteProvidedMember,
  deleteStaffMember,
  deleteStaffSessions,
  findStaffSession,
  hasStaff,
  insertStaffLink,
  insertStaffMember,
  insertStaffSession,
  listStaff,
  takeStaffLink,
  upsertProvidedMember,
} from './staff.ts'

const NOW = 1_000

describe.each(BOTH_DATABASES)('staff on %s', (kind) => {
  let database: Database
  let remove: () => Promise<void>
  beforeAll(async () => {
    ;({ database, remove } = await openTestDatabase(kind))
  })
  afterAll(() => remove())
  beforeEach(async () => {
    for (const { id } of await listStaff(database)) await deleteStaffMember(database, id)
    await deleteExpiredStaffAccess(database, Number.MAX_SAFE_INTEGER)
    await insertStaffMember(database, { id: 'ada', name: 'Ada', role: 'owner' }, 1)
    await upsertProvidedMember(database, { id: 'grace', name: 'Grace', role: 'editor' }, 2)
  })

  const session = (hash: string, staffId: string, expiresAt = NOW + 1) =>
    insertStaffSession(database, { hash, staffId, confirmedAt: 10, expiresAt })
  const hashesOf = async (id: string) =>
    (await database.selectFrom('staff_sessions').select('hash').where('staff_id', '=', id).orderBy('hash').execute()).map(
      ({ hash }) => hash,
    )

  test('are listed in the order in which they joined, with their passkeys', async () => {
    expect(await listStaff(database)).toEqual([
      { id: 'ada', name: 'Ada', role: 'owner', isFromProvider: false, joinedAt: 1, passkeys: 0 },
      { id: 'grace', name: 'Grace', role: 'editor', isFromProvider: true, joinedAt: 2, passkeys: 0 },
    ])
    expect([await hasStaff(database), await countOwners(database)]).toEqual([true, 1])
    await insertStaffMember(database, { id: 'joan', name: 'Joan', role: 'owner' }, 3)
    expect(await countOwners(database)).toBe(2)
  })

  test('from the provider take its name and role, and are removed without anybody else', async () => {
    await upsertProvidedMember(database, { id: 'grace', name: 'Grace H.', role: 'viewer' }, 9)
    expect((await listStaff(database))[1]).toMatchObject({ name: 'Grace H.', role: 'viewer', joinedAt: 2 })
    expect([await deleteProvidedMember(database, 'ada'), await deleteProvidedMember(database, 'nobody')]).toEqual([false, false])
    expect(await deleteProvidedMember(database, 'grace')).toBe(true)
    expect((await listStaff(database)).map(({ id }) => id)).toEqual(['ada'])
  })

  test('are removed with their sessions, and nobody else is', async () => {
    await session('a1', 'ada')
    await session('g1', 'grace')
    expect([await deleteStaffMember(database, 'ada'), await deleteStaffMember(database, 'ada')]).toEqual([true, false])
    expect([await findStaffSession(database, 'a1', NOW), await hashesOf('grace'), await hasStaff(database)]).toEqual([
      undefined,
      ['g1'],
      true,
    ])
    await deleteStaffMember(database, 'grace')
    expect([await hasStaff(database), await countOwners(database)]).toEqual([false, 0])
  })

  test('have sessions that are found while they are open, and ended together', async () => {
    await session('a1', 'ada', NOW + 1)
    await session('a2', 'ada', NOW + 9)
    await session('a3', 'ada', NOW)
    await session('g1', 'grace')
    expect(await findStaffSession(database, 'a1', NOW)).toEqual({
      session: { hash: 'a1', staffId: 'ada', confirmedAt: 10, expiresAt: NOW + 1 },
      member: { id: 'ada', name: 'Ada', role: 'owner', isFromProvider: false },
    })
    expect([await findStaffSession(database, 'a3', NOW), await findStaffSession(database, 'unknown', NOW)]).toEqual([undefined, undefined])
    expect([await deleteStaffSessions(database, 'ada'), await deleteStaffSessions(database, 'ada')]).toEqual([true, false])
    expect([await hashesOf('ada'), await hashesOf('grace')]).toEqual([[], ['g1']])
  })

  test('confirm one session, and no session that has ended', async () => {
    await session('a1', 'ada')
    await session('a2', 'ada')
    expect([await confirmStaffSession(database, 'a1', 500), await confirmStaffSession(database, 'a1', NOW + 1)]).toEqual([true, false])
    expect((await findStaffSession(database, 'a1', NOW))?.session.confirmedAt).toBe(500)
    expect((await findStaffSession(database, 'a2', NOW))?.session.confirmedAt).toBe(10)
  })

  test('join by a link once, until it expires; what has expired is deleted and nothing else', async () => {
    const link = { hash: 'l1', name: 'Joan', role: 'viewer' as const, expiresAt: NOW + 1 }
    await insertStaffLink(database, link)
    await insertStaffLink(database, { ...link, hash: 'l2' })
    expect([await takeStaffLink(database, 'l1', NOW), await takeStaffLink(database, 'l1', NOW)]).toEqual([link, undefined])
    await session('a1', 'ada', NOW + 1)
    await session('a2', 'ada', NOW)
    await insertStaffLink(database, { ...link, hash: 'l3', expiresAt: NOW })
    await deleteExpiredStaffAccess(database, NOW)
    expect(await hashesOf('ada')).toEqual(['a1'])
    expect((await database.selectFrom('staff_links').select('hash').execute()).map(({ hash }) => hash)).toEqual(['l2'])
    expect(await takeStaffLink(database, 'l2', NOW + 1)).toBeUndefined()
  })
})
