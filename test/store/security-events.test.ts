import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { SecurityEvents } from '../../src/server/limits/security-events.ts'
import { listSecurityEvents } from '../../src/server/store/staff/security-events.ts'
import { BOTH_DATABASES } from '../support/databases.ts'
import { type OpenedDatabase, openTestDatabase } from '../support/test-database.ts'

const DAY_MS = 24 * 60 * 60 * 1000
const NOON = Date.UTC(2026, 10, 21, 12)

describe.each(BOTH_DATABASES)('security events on %s', (kind) => {
  let opened: OpenedDatabase
  beforeAll(async () => {
    opened = await openTestDatabase(kind)
  })
  afterAll(() => opened.remove())

  test('of several processes add up by day and kind, and are deleted after 400 days', async () => {
    const clock = { now: NOON }
    const processes = Array.from({ length: 3 }, () => processAt(clock, opened))
    for (const events of processes) {
      events.count('wrong_transfer_code')
      events.count('refused_host')
      events.count('wrong_transfer_code')
    }
    await Promise.all(processes.map((events) => events.write()))
    const [first] = processes
    clock.now += DAY_MS
    first?.count('wrong_transfer_code')
    await Promise.all(processes.map((events) => events.close()))
    const later = { day: '2026-11-22', kind: 'wrong_transfer_code', count: 1 }
    expect(await listSecurityEvents(opened.database)).toEqual([
      later,
      { day: '2026-11-21', kind: 'refused_host', count: 3 },
      { day: '2026-11-21', kind: 'wrong_transfer_code', count: 6 },
    ])
    expect(Object.fromEntries(first?.totals ?? [])).toEqual({ wrong_transfer_code: 3, refused_host: 1 })

    clock.now = NOON + 401 * DAY_MS
    const today = { day: '2027-12-27', kind: 'refused_host', count: 1 }
    first?.count('refused_host')
    await first?.write()
    expect(await listSecurityEvents(opened.database)).toEqual([today, later])
  })
})

test('counts that could not be stored are stored later, with those of the meantime', async () => {
  const opened = await openTestDatabase('sqlite')
  const faults: string[] = []
  const state = { isDown: true }
  const failing = new Proxy(opened.database, {
    get: (database, name) => {
      if (state.isDown) throw new Error('no database')
      const value: unknown = Reflect.get(database, name)
      return typeof value === 'function' ? (value as () => unknown).bind(database) : value
    },
  })
  const events = new SecurityEvents({ database: failing, now: () => NOON, onFault: (message) => faults.push(message) })
  events.count('refused_host')
  await events.write()
  expect(faults).toHaveLength(1)
  state.isDown = false
  events.count('refused_host')
  await events.close()
  expect(await listSecurityEvents(opened.database)).toEqual([{ day: '2026-11-21', kind: 'refused_host', count: 2 }])
  await opened.remove()
})

function processAt(clock: { now: number }, { database }: OpenedDatabase): SecurityEvents {
  return new SecurityEvents({
    database,
    now: () => clock.now,
    onFault: (message, cause) => {
      throw new Error(message, { cause })
    },
  })
}
