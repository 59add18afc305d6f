import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { DATABASES } from '../../../test/support/databases.ts'
import { type OpenedDatabase, openTestDatabase } from '../../../test/support/test-database.ts'
import { AuditLog, OPERATOR } from './audit.ts'
import { FIRST_OWNER, StaffAccess } from './staff-access.ts'

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS

describe.each(DATABASES)('access of staff on %s', (kind) => {
  let opened: OpenedDatabase
  let now = 0
  const audit = new AuditLog('an installation key of a test')
  let access: StaffAccess
  beforeAll(async () => {
    opened = await openTestDatabase(kind)
    access = new StaffAccess({ database: opened.database, audit, now: () => now })
  })
  afterAll(() => opened.remove())

  const invite = () => access.invite({ name: 'Ada', role: 'editor', lifetimeMs: 10 * MINUTE_MS, actor: OPERATOR })
  const join = async () => (await access.join(await invite())) ?? ''
  const tables = ['staff', 'staff_links', 'staff_sessions', 'audit_log'] as const
  const stored = async () =>
    JSON.stringify(await Promise.all(tables.map((table) => opened.database.selectFrom(table).selectAll().execute())))

  test('a link lets its person in with its role', async () => {
    const session = await join()
    expect(await access.find(session)).toMatchObject({ member: { name: 'Ada', role: 'editor' }, isConfirmed: true })
  })

  test('tells people of one name apart, and lets nobody join by a name of the console', async () => {
    const joined = async (name: string) => {
      const session = await access.join(await access.invite({ name, role: 'viewer', lifetimeMs: MINUTE_MS, actor: OPERATOR }))
      return (await access.find(session ?? ''))?.member.name
    }
    expect([await joined('Zoe'), await joined('ZOË'), await joined('zoe')]).toEqual(['Zoe', 'ZOË (2)', 'zoe (3)'])
    expect(await joined('Server administrator')).toBe('Server administrator (2)')
  })

  test('a link works once, also when two use it at the same time', async () => {
    const link = await invite()
    const sessions = await Promise.all([access.join(link), access.join(link)])
    expect(sessions.filter((session) => session !== null)).toHaveLength(1)
    expect(await access.join(link)).toBeNull()
  })

  test('links for the first owner end with the first person, also when two are used at the same time', async () => {
    const own = await openTestDatabase(kind)
    try {
      const first = new StaffAccess({ database: own.database, audit, now: () => now })
      const link = () => first.invite({ name: FIRST_OWNER, role: 'owner', lifetimeMs: MINUTE_MS, actor: OPERATOR })
      const links = [await link(), await link(), await link()]
      const sessions = await Promise.all(links.slice(0, 2).map((one) => first.join(one)))
      expect(sessions.filter((session) => session !== null)).toHaveLength(1)
      for (const one of links) expect(await first.join(one)).toBeNull()
      expect(await own.database.selectFrom('staff').selectAll().execute()).toMatchObject([{ name: 'First owner', role: 'owner' }])
    } finally {
      await own.remove()
    }
  })

  test('a link stops working when its time is over', async () => {
    const [late, last] = [await invite(), await invite()]
    now += 10 * MINUTE_MS - 1
    expect(await access.join(last)).not.toBeNull()
    now += 1
    expect(await access.join(late)).toBeNull()
  })

  test.each([
    ['an invented', randomBytes(32).toString('base64url')],
    ['an empty', ''],
    ['a huge', 'x'.repeat(100_000)],
  ])('%s secret opens nothing', async (_, secret) => {
    expect([await access.join(secret), await access.find(secret)]).toEqual([null, null])
  })

  test('a session needs a new confirmation after 15 minutes and ends after 12 hours', async () => {
    const session = await join()
    now += 15 * MINUTE_MS - 1
    expect((await access.find(session))?.isConfirmed).toBe(true)
    now += 1
    expect((await access.find(session))?.isConfirmed).toBe(false)
    now += 12 * HOUR_MS - 15 * MINUTE_MS - 1
    expect(await access.find(session)).not.toBeNull()
    now += 1
    expect(await access.find(session)).toBeNull()
  })

  test('all sessions of a person who signs out, and of one who is removed, end at once', async () => {
    const grace = { id: 'grace', name: 'Grace', role: 'viewer' as const }
    const [left, other, removed] = [await access.enterFromProvider(grace, now), await access.enterFromProvider(grace, now), await join()]
    await access.signOut(left)
    await access.signOut(left)
    expect(await access.find(left)).toBeNull()
    expect(await access.find(other)).toBeNull()
    const id = (await access.find(removed))?.member.id ?? ''
    expect([await access.remove(id, OPERATOR), await access.remove(id, OPERATOR)]).toEqual(['removed', 'unknown'])
    expect(await access.find(removed)).toBeNull()
  })

  test('stores no secret, deletes what has expired, and records each change', async () => {
    const link = await invite()
    expect(await stored()).not.toContain(link)
    const session = (await access.join(link)) ?? ''
    expect(await stored()).not.toContain(session)
    now += 12 * HOUR_MS
    await invite()
    expect(await opened.database.selectFrom('staff_sessions').select('hash').execute()).toEqual([])
    const actions = await opened.database.selectFrom('audit_log').select('action').orderBy('number', 'desc').limit(3).execute()
    expect(actions.map(({ action }) => action)).toEqual(['staff.invite', 'staff.join', 'staff.invite'])
    expect(await audit.verify(opened.database)).toMatchObject({ intact: true })
  })
})
