import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { unrestricted } from '../../src/server/store/visitors/access.ts'
import { listReports, readReport } from '../../src/server/store/staff/report-queue.ts'
import { insertReport, listOwnReports, withdrawReport } from '../../src/server/store/staff/reports.ts'
import { ErasureLedger } from '../../src/server/visitors/erasure-ledger.ts'
import { sweep } from '../../src/server/visitors/purge.ts'
import { BOTH_DATABASES } from '../support/databases.ts'
import { openTestDatabase } from '../support/test-database.ts'
import { reportOptions } from '../support/report-options.ts'

const DAY_MS = 24 * 60 * 60 * 1000
const NOW = Date.UTC(2026, 10, 25)
const SESSION = 'A'.repeat(21)
const ANSWER = `m_${'A'.repeat(21)}`
const log = async () => undefined

describe.each(BOTH_DATABASES)('stored reports on %s', (kind) => {
  const accessAt = (now: number) => ({ owner: 'v_owner', credential: true, now, retentionMs: 30 * DAY_MS })
  const queueAt = (now: number) => ({ now, retentionMs: 30 * DAY_MS })

  async function open({ temporary = 0 } = {}) {
    const { database, remove } = await openTestDatabase(kind)
    onTestFinished(remove)
    const times = { created_at: NOW, updated_at: NOW }
    await unrestricted(database)
      .insertInto('sessions')
      .values({ id: SESSION, owner: 'v_owner', agent: 'a', title: 'Chat', open_by_id: 0, temporary, leaf: 1, ...times })
      .execute()
    const message = { session_id: SESSION, parent: 0, turn_id: null, parts: '[]', metadata: '{}', created_at: NOW }
    await database
      .insertInto('messages')
      .values({ id: ANSWER, position: 1, role: 'assistant', ...message })
      .execute()
    const hand = (now: number, lifeDays = 10) =>
      insertReport(
        database,
        { id: SESSION, access: accessAt(now) },
        { message: ANSWER, scope: 'rating', messages: [] },
        reportOptions(lifeDays * DAY_MS),
      )
    return { database, hand }
  }

  test('are gone for everybody from the day on that REPORT_DAYS names, and deleted by the next sweep', async () => {
    const { database, hand } = await open()
    const report = await hand(NOW)
    const id = 'id' in report ? report.id : ''
    const end = NOW + 10 * DAY_MS
    expect(await listReports(database, queueAt(end - 1))).toHaveLength(1)
    expect(await listReports(database, queueAt(end))).toEqual([])
    expect(await readReport(database, queueAt(end), { id, role: 'owner', log })).toBeUndefined()
    expect((await listOwnReports(database, accessAt(end))).reports).toEqual([])
    await sweep(database, end - 1)
    expect(await database.selectFrom('reports').select('id').execute()).toHaveLength(1)
    await sweep(database, end)
    expect(await database.selectFrom('reports').select('id').execute()).toEqual([])
  })

  test('are not readable once their chat has expired', async () => {
    const { database, hand } = await open()
    const report = await hand(NOW, 100)
    const id = 'id' in report ? report.id : ''
    expect(await readReport(database, queueAt(NOW + 30 * DAY_MS), { id, role: 'owner', log })).toMatchObject({ id })
    expect(await readReport(database, queueAt(NOW + 30 * DAY_MS + 1), { id, role: 'owner', log })).toBeUndefined()
    expect(await listReports(database, queueAt(NOW + 30 * DAY_MS + 1))).toEqual([])
  })

  test('are not made of temporary chats', async () => {
    const { hand } = await open({ temporary: 1 })
    expect(await hand(NOW)).toMatchObject({ kind: 'rejected', code: 'not_found' })
  })

  test('are twenty of a visitor at most', async () => {
    const { database, hand } = await open()
    const report = { scope: 'rating', messages: '[]', reason: null, thumb: null, created_at: NOW, expires_at: NOW + DAY_MS }
    const rows = Array.from({ length: 20 }, (_, index) => ({ id: `report ${index}`, session_id: SESSION, position: index + 2, ...report }))
    await database
      .insertInto('reports')
      .values(rows.map((row) => ({ ...row, scope: 'rating' as const, revision: 0 })))
      .execute()
    expect(await hand(NOW)).toMatchObject({ kind: 'rejected', code: 'too_many_reports' })
    await withdrawReport(database, accessAt(NOW), 'report 0')
    expect(await hand(NOW)).toMatchObject({ scope: 'rating' })
  })

  test('are counted by chat for those without a credential', async () => {
    const { database } = await open()
    const anybody = { owner: null, credential: false, now: NOW, retentionMs: 30 * DAY_MS }
    for (let count = 0; count <= 20; count += 1) {
      const id = `s${count}`.padEnd(21, 'x')
      const times = { created_at: NOW, updated_at: NOW }
      await unrestricted(database)
        .insertInto('sessions')
        .values({ id, owner: `v_${count}`, agent: 'a', title: 'Chat', open_by_id: 1, temporary: 0, leaf: 1, ...times })
        .execute()
      await database
        .insertInto('messages')
        .values({
          id: `a${count}`,
          session_id: id,
          position: 1,
          role: 'assistant',
          parent: 0,
          turn_id: null,
          parts: '[]',
          metadata: '{}',
          created_at: NOW,
        })
        .execute()
      const report = { message: `a${count}`, scope: 'rating' as const, messages: [] }
      expect(await insertReport(database, { id, access: anybody }, report, reportOptions(DAY_MS))).toMatchObject({ kind: 'problem' })
    }
  })

  test('that another one replaced are recorded as deleted', async () => {
    const { database, hand } = await open()
    const first = await hand(NOW)
    const replaced: string[] = []
    const options = { ...reportOptions(DAY_MS), onReplaced: async (id: string) => void replaced.push(id) }
    const report = { message: ANSWER, scope: 'rating' as const, messages: [], reason: 'again' }
    await insertReport(database, { id: SESSION, access: accessAt(NOW) }, report, options)
    expect(replaced).toEqual(['id' in first ? first.id : ''])
  })

  test('that were withdrawn are deleted again after a restore', async () => {
    const directory = mkdtempSync(join(tmpdir(), 'reports-ledger-'))
    onTestFinished(() => rmSync(directory, { recursive: true }))
    const { database, hand } = await open()
    const ledger = await ErasureLedger.open({ directory, installationKey: 'key', days: 30, now: () => NOW + 1 })
    const report = await hand(NOW)
    const id = 'id' in report ? report.id : ''
    const before = await database.selectFrom('reports').selectAll().execute()
    expect(await ledger.deleteRecorded(database, 'report', id, (some) => withdrawReport(some, accessAt(NOW), id))).toBe(true)
    await database.insertInto('reports').values(before).execute()
    expect(await ledger.replay(database)).toBe(1)
    expect(await database.selectFrom('reports').select('id').execute()).toEqual([])
  })
})
