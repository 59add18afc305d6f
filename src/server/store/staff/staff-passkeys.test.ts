import { expect, onTestFinished, test } from 'vitest'
import { BOTH_DATABASES } from '../../../../test/support/databases.ts'
import { openTestDatabase } from '../../../../test/support/test-database.ts'
import { deleteStaffPasskey, findStaffPasskey, insertStaffPasskey, listStaffPasskeys, recordPasskeyUse } from './staff-passkeys.ts'

const NOW = Date.UTC(2026, 10, 21)

test.each(BOTH_DATABASES)('a passkey belongs to one person, and its count only goes on from the one that was read, on %s', async (kind) => {
  const { database, remove } = await openTestDatabase(kind)
  onTestFinished(remove)
  for (const id of ['ada', 'grace']) await database.insertInto('staff').values({ id, name: id, role: 'owner', created_at: NOW }).execute()
  const passkey = (id: string, staffId: string, createdAt = NOW) => {
    const key = { name: 'A key', publicKey: `key of ${id}`, counter: 1, transports: ['usb'] }
    return { id, staffId, ...key, createdAt, usedAt: null }
  }
  const added = [passkey('second', 'ada', NOW + 1), passkey('first', 'ada'), passkey('hers', 'grace')]
  for (const one of added) expect(await insertStaffPasskey(database, one)).toBe(true)
  expect(await insertStaffPasskey(database, passkey('first', 'grace'))).toBe(false)
  expect(await listStaffPasskeys(database, 'ada')).toEqual([added[1], added[0]])
  expect(await findStaffPasskey(database, 'hers')).toEqual(added[2])
  expect(await findStaffPasskey(database, 'unknown')).toBeUndefined()
  expect(await recordPasskeyUse(database, added[1]!, 5, NOW + 9)).toBe(true)
  expect(await recordPasskeyUse(database, added[1]!, 6, NOW + 9)).toBe(false)
  expect(await findStaffPasskey(database, 'first')).toMatchObject({ counter: 5, usedAt: NOW + 9 })
  expect(await findStaffPasskey(database, 'second')).toMatchObject({ counter: 1, usedAt: null })
  expect(await deleteStaffPasskey(database, 'grace', 'first')).toBe(false)
  expect(await deleteStaffPasskey(database, 'ada', 'first')).toBe(true)
  expect((await listStaffPasskeys(database, 'ada')).map(({ id }) => id)).toEqual(['second'])
  expect(await listStaffPasskeys(database, 'grace')).toHaveLength(1)
})
