import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { DATABASES } from '../../../test/support/databases.ts'
import { type OpenedDatabase, openTestDatabase } from '../../../test/support/test-database.ts'
import { readAuditHead, readNewestAuditRows } from '../store/staff/audit-log.ts'
import { AuditLog, OPERATOR } from './audit.ts'

const KEY = 'an installation key of a test'
const audit = new AuditLog(KEY)

describe.each(DATABASES)('the audit log on %s', (kind) => {
  let opened: OpenedDatabase
  beforeAll(async () => {
    opened = await openTestDatabase(kind)
  })
  afterAll(() => opened.remove())

  const append = (target: string, log = audit) =>
    opened.database
      .transaction()
      .execute((transaction) => log.append(transaction, { at: 1, actor: OPERATOR, action: 'stop.start', target }))
  const verify = () => audit.verify(opened.database)
  const setHead = (value: string) =>
    opened.database.updateTable('installation_facts').set({ value }).where('name', '=', 'audit_head').execute()

  beforeEach(async () => {
    await opened.database.deleteFrom('audit_log').execute()
    await opened.database.deleteFrom('installation_facts').where('name', '=', 'audit_head').execute()
  })

  test('is intact when empty, and after appends at the same time', async () => {
    expect(await verify()).toEqual({ intact: true, entries: 0 })
    await Promise.all(['a', 'b', 'c', 'd'].map((target) => append(target)))
    expect(await verify()).toEqual({ intact: true, entries: 4 })
  })

  test('names its targets by keyed hashes alone', async () => {
    await append('Ada Lovelace')
    const [row] = await readNewestAuditRows(opened.database, {}, 1)
    expect(JSON.stringify(row)).not.toContain('Lovelace')
    expect(row?.target).toBe(audit.targetHash('Ada Lovelace'))
    expect(row?.target).not.toBe(new AuditLog('another key').targetHash('Ada Lovelace'))
  })

  test.each([
    ['a changed actor', { actor: 'somebody else' }],
    ['a changed action', { action: 'stop.end' }],
    ['a changed target', { target: null }],
    ['a changed time', { at: 2 }],
    ['a changed hash', { hash: 'forged' }],
  ])('finds %s', async (_, change) => {
    for (const target of ['a', 'b', 'c']) await append(target)
    await opened.database.updateTable('audit_log').set(change).where('number', '=', 2).execute()
    expect(await verify()).toEqual({ intact: false, brokenAt: 2 })
  })

  test('finds a missing entry in the middle and at the end, also when the end is forged from what the log holds', async () => {
    for (const target of ['a', 'b', 'c']) await append(target)
    await opened.database.deleteFrom('audit_log').where('number', '=', 3).execute()
    expect(await verify()).toEqual({ intact: false, brokenAt: 3 })
    const [last] = await readNewestAuditRows(opened.database, {}, 1)
    await setHead(last?.hash ?? '')
    expect(await verify()).toEqual({ intact: false, brokenAt: 3 })
    await opened.database.deleteFrom('audit_log').where('number', '=', 1).execute()
    expect(await verify()).toEqual({ intact: false, brokenAt: 1 })
  })

  test('finds a log that was emptied', async () => {
    await append('a')
    await opened.database.deleteFrom('audit_log').execute()
    expect(await readAuditHead(opened.database)).not.toBeNull()
    expect(await verify()).toEqual({ intact: false, brokenAt: 1 })
  })

  test('finds an entry that was written with another key', async () => {
    await append('a')
    await append('b', new AuditLog('another key'))
    expect(await verify()).toEqual({ intact: false, brokenAt: 2 })
  })

  test('records nothing of a change that fails', async () => {
    const failing = opened.database.transaction().execute(async (transaction) => {
      await audit.append(transaction, { at: 1, actor: OPERATOR, action: 'stop.end', target: null })
      throw new Error('The change fails')
    })
    await expect(failing).rejects.toThrow('The change fails')
    expect(await verify()).toEqual({ intact: true, entries: 0 })
  })
})
