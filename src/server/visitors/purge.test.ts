import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { unrestricted } from '../store/visitors/access.ts'
import { deleteAcceptedNotices, recordAcceptedPrompt } from '../store/visitors/accepted-notices.ts'
import type { Database } from '../store/engine/database.ts'
import { removeLeftText } from '../store/engine/deleted-text.ts'
import { insertPendingFile } from '../store/sessions/files.ts'
import { readFact } from '../store/engine/installation-facts.ts'
import { insertReport } from '../store/staff/reports.ts'
import { insertVisitor } from '../store/visitors/visitors.ts'
import { purge, startPurge } from './purge.ts'
import { DATABASES } from '../../../test/support/databases.ts'
import { eventually } from '../../../test/support/eventually.ts'
import { accessOf, storeChat } from '../../../test/support/stored-chats.ts'
import { openTestDatabase } from '../../../test/support/test-database.ts'
import { reportOptions } from '../../../test/support/report-options.ts'

vi.mock('../store/engine/deleted-text.ts', { spy: true })

const HOUR_MS = 60 * 60 * 1000
const DAY_MS = 24 * HOUR_MS
const START = Date.UTC(2026, 10, 21)

describe.each(DATABASES)('the purge that runs on time, on %s', (kind) => {
  let database: Database
  let remove: () => Promise<void>
  let now: number
  let stop: (() => Promise<void>) | undefined
  const faults: unknown[] = []
  const clock = { now: () => now, isDoubted: false, record: async () => undefined }
  beforeAll(async () => {
    ;({ database, remove } = await openTestDatabase(kind))
  })
  afterAll(() => remove())
  beforeEach(() => {
    now = START
    faults.length = 0
    vi.mocked(removeLeftText).mockClear()
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
  })
  afterEach(async () => {
    await stop?.()
    stop = undefined
    vi.useRealTimers()
    await unrestricted(database).deleteFrom('sessions').execute()
    await database.deleteFrom('visitors').execute()
    await database.deleteFrom('installation_facts').where('name', '=', 'last_purge').execute()
  })

  function start(options: Partial<Parameters<typeof startPurge>[0]> = {}): void {
    stop = startPurge({
      database,
      retentionMs: 30 * DAY_MS,
      clock,
      onFault: (_message, cause) => faults.push(cause),
      ...options,
    })
  }

  const hasPurged = () => eventually(async () => expect(await readFact(database, 'last_purge')).toBe(String(START)))
  /** Whether a sweep that found nothing is over: this is its last step. A sweep that is due before is left out. */
  const hasSwept = () => eventually(() => expect(removeLeftText).toHaveResolved())
  const sessions = async () =>
    (await unrestricted(database).selectFrom('sessions').select('id').orderBy('id').execute()).map(({ id }) => id)

  test('deletes at the start what has expired meanwhile', async () => {
    const old = { owner: 'v_old', at: START - 31 * DAY_MS }
    await storeChat(database, { ...old, id: 'old', newVisitor: { id: 'v_old', keyHash: 'old' } })
    await insertVisitor(database, { id: 'v_shared', keyHash: 'shared', keyExpiresAt: START - 1 }, START)
    await storeChat(database, { id: 'temporary', owner: 'c_temporary', at: START - 60_000, temporary: true })
    await storeChat(database, { id: 'kept', owner: 'c_kept', at: START - 29 * DAY_MS })
    const access = accessOf('c_kept', START)
    await insertReport(database, { id: 'kept', access }, { message: 'kept-answer', scope: 'answer', messages: [] }, reportOptions(0))
    start()
    await hasPurged()
    await eventually(async () => {
      expect(await sessions()).toEqual(['kept'])
      for (const table of ['visitors', 'reports'] as const) expect(await database.selectFrom(table).selectAll().execute()).toEqual([])
    })
    expect(faults).toEqual([])
  })

  test('deletes a chat within ten minutes after it expired, and a temporary one within ten seconds', async () => {
    await storeChat(database, { id: 'expires', owner: 'c_1', at: START - 30 * DAY_MS })
    await storeChat(database, { id: 'temporary', owner: 'c_1', at: START, temporary: true })
    start()
    await hasPurged()
    await hasSwept()
    expect(await sessions()).toEqual(['expires', 'temporary'])
    now = START + 60_000
    await vi.advanceTimersByTimeAsync(10_000)
    await eventually(async () => expect(await sessions()).toEqual(['expires']))
    await vi.advanceTimersByTimeAsync(590_000)
    await eventually(async () => expect(await sessions()).toEqual([]))
  })

  test('a request can be repeated for a day, and a file waits for its prompt for an hour', async () => {
    await storeChat(database, { id: 'repeatable', owner: 'c_1', at: START })
    const claim = (age: number) => ({
      scope: '',
      key_hash: String(age),
      request_hash: '',
      turn_id: 'repeatable-turn',
      created_at: START - age,
    })
    await database
      .insertInto('idempotency_keys')
      .values([claim(DAY_MS), claim(DAY_MS + 1)])
      .execute()
    const file = { owner: 'c_1', name: 'a.txt', mediaType: 'text/plain' as const, bytes: 1, text: 'a', content: Buffer.from('a') }
    for (const age of [HOUR_MS, HOUR_MS + 1])
      await insertPendingFile(database, { ...file, id: `f_${age}`, now: START - age, newVisitor: null }, { maxPending: 9, maxOwnBytes: 9 })
    await purge(database, 30 * DAY_MS, START)
    expect(await database.selectFrom('idempotency_keys').select('key_hash').execute()).toEqual([{ key_hash: String(DAY_MS) }])
    expect(await database.selectFrom('waiting_files').select('id').execute()).toEqual([{ id: `f_${HOUR_MS}` }])
    await database.deleteFrom('waiting_files').execute()
  })

  test('stores the time with a sweep, and at the next one after a failure', async () => {
    let isFailing = true
    const recorded: number[] = []
    const record = async () => {
      if (isFailing) throw new Error('The disk is full')
      recorded.push(now)
    }
    start({ clock: { ...clock, record } })
    await eventually(() => expect(faults).toHaveLength(1))
    isFailing = false
    now += 10_000
    await vi.advanceTimersByTimeAsync(10_000)
    await eventually(() => expect(recorded).toEqual([START + 10_000]))
  })

  test('deletes what visitors have accepted where staff can no longer read', async () => {
    await storeChat(database, { id: 'accepted', owner: 'v_1', at: START, newVisitor: { id: 'v_1', keyHash: '1' } })
    const accepted = { owner: 'v_1', session: 'accepted', position: 1, version: 'v1', arrivedAt: START, now: START }
    await recordAcceptedPrompt(database, accepted)
    start({ deleteAcceptances: async (limit) => (await deleteAcceptedNotices(database, limit)).length })
    await eventually(async () => expect(await database.selectFrom('accepted_notices').select('id').execute()).toEqual([]))
    expect(await sessions()).toEqual(['accepted'])
  })

  test('nothing is deleted once it was stopped', async () => {
    start()
    await hasPurged()
    await stop?.()
    stop = undefined
    await storeChat(database, { id: 'later', owner: 'c_later', at: START - 31 * DAY_MS })
    await vi.advanceTimersByTimeAsync(1_200_000)
    expect([vi.getTimerCount(), await sessions()]).toEqual([0, ['later']])
  })
})
