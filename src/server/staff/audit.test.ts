import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { DATABASES } from '../../../test/support/databases.ts'
import { type OpenedDatabase, openTestDatabase } from '../../../test/support/test-database.ts'
import { readAuditHead, readNewestAuditRows } from '../store/staff/audit-log.ts'
import { APPROVED_ANSWERS, textHash } from '../store/knowledge/managed-texts.ts'
import { insertStaffMember } from '../store/staff/staff.ts'
import { insertStop } from '../store/staff/stops.ts'
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
    expect(await verify()).toMatchObject({ intact: true, entries: 0 })
    await Promise.all(['a', 'b', 'c', 'd'].map((target) => append(target)))
    expect(await verify()).toMatchObject({ intact: true, entries: 4 })
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
    expect(await verify()).toMatchObject({ intact: true, entries: 0 })
  })

  describe('with a seal outside the database', () => {
    let folder: string
    let sealed: AuditLog
    beforeEach(async () => {
      folder = mkdtempSync(join(tmpdir(), 'parley-audit-'))
      sealed = new AuditLog(KEY, folder)
      await sealed.begin(opened.database, 1)
      return () => rmSync(folder, { recursive: true })
    })
    const check = () => sealed.verify(opened.database)
    /** The log as it is now, to be put back by somebody who can write the database and doesn't have the key. */
    async function copy() {
      const rows = await opened.database.selectFrom('audit_log').selectAll().execute()
      const head = (await readAuditHead(opened.database)) ?? ''
      return async () => {
        await opened.database.deleteFrom('audit_log').execute()
        await opened.database.insertInto('audit_log').values(rows).execute()
        await setHead(head)
      }
    }
    const empty = async () => {
      await opened.database.deleteFrom('audit_log').execute()
      await opened.database.deleteFrom('installation_facts').where('name', '=', 'audit_head').execute()
    }

    test('begins with one entry, and names the newest and the sealed one', async () => {
      await sealed.begin(opened.database, 2)
      const [row, ...others] = await readNewestAuditRows(opened.database, {}, 2)
      expect([row, others]).toMatchObject([{ number: 1, action: 'log.begin' }, []])
      expect(await check()).toEqual({ intact: true, entries: 1, hash: row?.hash, sealed: 1 })
    })

    test('finds that an earlier log was put back, also after new entries', async () => {
      const putBack = await copy()
      await append('a', sealed)
      await append('b', sealed)
      await sealed.seal(opened.database)
      await putBack()
      expect(await check()).toEqual({ intact: false, brokenAt: 2 })
      for (const target of ['c', 'd', 'e']) await append(target, sealed)
      await sealed.seal(opened.database)
      expect(await check()).toEqual({ intact: false, brokenAt: 3 })
    })

    test('finds that everything was removed, also after a start and new entries', async () => {
      await append('a', sealed)
      await sealed.seal(opened.database)
      await empty()
      expect(await check()).toEqual({ intact: false, brokenAt: 1 })
      await sealed.begin(opened.database, 3)
      for (const target of ['b', 'c', 'd']) await append(target, sealed)
      await sealed.seal(opened.database)
      expect(await check()).toMatchObject({ intact: false })
    })

    test('is explained by a signed entry after a restore, and by nothing else', async () => {
      const putBack = await copy()
      await append('a', sealed)
      await sealed.seal(opened.database)
      await putBack()
      await new AuditLog('another key', folder).recordRestore(opened.database, 4)
      expect(await check()).toMatchObject({ intact: false })
      await putBack()
      await sealed.recordRestore(opened.database, 5)
      expect(await check()).toMatchObject({ intact: true, entries: 2, sealed: 2 })
      await sealed.seal(opened.database)
      await putBack()
      expect(await check()).toMatchObject({ intact: false })
    })

    test('finds a forged seal', async () => {
      writeFileSync(join(folder, 'audit'), readFileSync(join(folder, 'audit'), 'utf8').replace(/^1/, '0'))
      expect(await check()).toMatchObject({ intact: false })
    })

    test('finds people, stops and publications in force that no entry is about', async () => {
      await insertStaffMember(opened.database, { id: 'intruder', name: 'Eve', role: 'owner' }, 1)
      await insertStop(opened.database, { id: 'secret', scope: 'all', target: '', examples: [], reply: null, reason: 'x', createdAt: 1 })
      const text = { id: 'answer', text: 'x', by: 'intruder', at: 1 }
      await APPROVED_ANSWERS.insert(opened.database, text, async () => undefined)
      await APPROVED_ANSWERS.publish(opened.database, { ...text, revision: 1, restores: null }, async () => undefined)
      const unrecorded = ['staff intruder', 'stop secret', `approved answer ${textHash('x')}`]
      expect(await check()).toEqual({ intact: false, brokenAt: 2, unrecorded })
      await append('secret', sealed)
      expect(await check()).toMatchObject({ unrecorded: unrecorded.filter((one) => !one.startsWith('stop')) })
    })
  })
})
