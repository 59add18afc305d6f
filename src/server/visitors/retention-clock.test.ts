import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { type OpenedDatabase, openTestDatabase } from '../../../test/support/test-database.ts'
import { recordTime } from '../store/engine/installation-facts.ts'
import { RetentionClock } from './retention-clock.ts'

const DAY_MS = 24 * 60 * 60 * 1000
const LAST_RUN = 1_000 * DAY_MS

let opened: OpenedDatabase
beforeAll(async () => {
  opened = await openTestDatabase('sqlite')
})
afterAll(() => opened.remove())
beforeEach(async () => {
  await opened.database.deleteFrom('installation_facts').execute()
  await recordTime(opened.database, LAST_RUN)
})

function clockAt(wall: number, outside: () => Promise<number | undefined> = async () => undefined) {
  const warnings: string[] = []
  const times = { monotonic: 5 }
  const clock = RetentionClock.open({
    database: opened.database,
    wall: () => wall,
    steady: () => wall,
    monotonic: () => times.monotonic,
    outside,
    onWarning: (warning) => warnings.push(warning),
  })
  return clock.then((open) => ({ clock: open, warnings, times }))
}

test('a clock that is a day ahead of the last run is doubted, and a shorter pause is not', async () => {
  expect((await clockAt(LAST_RUN + DAY_MS - 1)).clock.isDoubted).toBe(false)
  expect((await clockAt(LAST_RUN + DAY_MS)).clock.isDoubted).toBe(true)
})

test('without a last run, no clock is doubted', async () => {
  await opened.database.deleteFrom('installation_facts').execute()
  expect((await clockAt(LAST_RUN + 40 * DAY_MS)).clock.isDoubted).toBe(false)
})

test('another machine’s clock that agrees confirms the time, and one that doesn’t leaves the doubt', async () => {
  const wall = LAST_RUN + 40 * DAY_MS
  expect((await clockAt(wall, async () => wall - DAY_MS)).clock.isDoubted).toBe(false)
  expect((await clockAt(wall, async () => LAST_RUN)).clock.isDoubted).toBe(true)
})

test('while the clock is doubted, time goes on from the last run', async () => {
  const { clock, times, warnings } = await clockAt(LAST_RUN + 40 * DAY_MS)
  times.monotonic += 90
  expect([clock.now(), clock.accessTime()]).toEqual([LAST_RUN + 90, LAST_RUN + 90])
  expect(warnings).toEqual([expect.stringMatching(/40 days ahead.*parley confirm-clock/)])
  await clock.record()
  expect(clock.isDoubted).toBe(true)
})

test('once a time near the clock’s is stored, chats expire by the clock again', async () => {
  const wall = LAST_RUN + 40 * DAY_MS
  const { clock, warnings } = await clockAt(wall)
  await recordTime(opened.database, wall - DAY_MS)
  await clock.record()
  expect(clock.isDoubted).toBe(true)
  await recordTime(opened.database, wall - DAY_MS + 1)
  await clock.record()
  expect([clock.isDoubted, clock.now(), clock.accessTime()]).toEqual([false, wall, wall])
  expect(warnings.at(-1)).toMatch(/confirmed/)
})
