import { describe, expect, onTestFinished, test } from 'vitest'
import { confirmClock } from '../../src/server/commands/confirm-clock.ts'
import { recordTime } from '../../src/server/store/engine/installation-facts.ts'
import { RetentionClock } from '../../src/server/visitors/retention-clock.ts'
import { BOTH_DATABASES } from '../support/databases.ts'
import { openTestDatabase } from '../support/test-database.ts'

const DAY_MS = 24 * 60 * 60 * 1000
const NOW = Date.UTC(2026, 10, 23)

describe.each(BOTH_DATABASES)('the clock by which chats expire, on %s', (kind) => {
  /** A clock opened `aheadMs` after the newest stored time; `uptime.ms` moves its time. */
  async function open(aheadMs: number, outside: () => Promise<number | undefined> = async () => undefined) {
    const { database, settings, remove } = await openTestDatabase(kind)
    onTestFinished(remove)
    const uptime = { ms: 0 }
    const warnings: string[] = []
    const wall = () => NOW + uptime.ms
    const onWarning = (message: string) => warnings.push(message)
    const openClock = () => RetentionClock.open({ database, wall, steady: wall, monotonic: () => uptime.ms, outside, onWarning })
    await recordTime(database, NOW - aheadMs)
    return { clock: await openClock(), openClock, uptime, warnings, settings }
  }

  test('is trusted within a day of the last run', async () => {
    const { clock, uptime, warnings } = await open(DAY_MS - 1)
    uptime.ms = 60_000
    expect([clock.isDoubted, clock.now(), warnings]).toEqual([false, NOW + 60_000, []])
  })

  test('goes on from the last run if it is 40 days ahead, over restarts, until the operator confirms it', async () => {
    const { clock, openClock, uptime, warnings, settings } = await open(40 * DAY_MS)
    uptime.ms = 60_000
    expect([clock.isDoubted, clock.now()]).toEqual([true, NOW - 40 * DAY_MS + 60_000])
    expect(warnings.join()).toMatch(/40 days ahead.*parley confirm-clock/)
    await clock.record()
    const next = await openClock()
    expect([next.isDoubted, next.now()]).toEqual([true, NOW - 40 * DAY_MS + 60_000])
    expect(await confirmClock(settings, NOW)).toContain('2026-11-23')
    await next.record()
    expect([next.isDoubted, next.now(), (await openClock()).isDoubted]).toEqual([false, NOW + 60_000, false])
    expect(warnings.at(-1)).toContain('confirmed')
  })

  test('gives chats times after the last run if it is 40 days behind, and deletes none', async () => {
    const { clock, uptime, warnings } = await open(-40 * DAY_MS)
    uptime.ms = 60_000
    expect([clock.isDoubted, clock.accessTime(), clock.now()]).toEqual([false, NOW + 40 * DAY_MS + 60_000, NOW + 60_000])
    uptime.ms = 41 * DAY_MS
    expect([clock.accessTime(), warnings.join()]).toEqual([NOW + 81 * DAY_MS, expect.stringContaining('40 days behind')])
  })

  test.each([
    ['agrees', 0, false],
    ['disagrees', 40 * DAY_MS, true],
  ])('asks another machine, which %s', async (_, behindMs, isDoubted) => {
    const { clock } = await open(40 * DAY_MS, async () => NOW - behindMs)
    expect(clock.isDoubted).toBe(isDoubted)
  })
})
