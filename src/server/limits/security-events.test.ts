import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { type OpenedDatabase, openTestDatabase } from '../../../test/support/test-database.ts'
import { SecurityEvents } from './security-events.ts'

let opened: OpenedDatabase
beforeEach(async () => {
  opened = await openTestDatabase('sqlite')
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
})
afterEach(async () => {
  vi.useRealTimers()
  await opened.remove()
})

const counted = async () =>
  (await opened.database.selectFrom('security_events').selectAll().execute()).map(({ day, kind, count }) => `${day} ${kind} ${count}`)

test('writes counts every ten seconds, and the rest at the end', async () => {
  let now = Date.UTC(2026, 9, 25)
  const events = new SecurityEvents({ database: opened.database, now: () => now, onFault: () => undefined })
  events.count('refused_host')
  events.count('refused_host')
  expect(await counted()).toEqual([])
  vi.advanceTimersByTime(10_000)
  await expect.poll(counted).toEqual(['2026-10-25 refused_host 2'])
  events.count('refused_host')
  now += 24 * 60 * 60 * 1000
  events.count('refused_origin')
  await events.close()
  expect((await counted()).toSorted()).toEqual(['2026-10-25 refused_host 3', '2026-10-26 refused_origin 1'])
  expect(events.totals.get('refused_host')).toBe(3)
})
