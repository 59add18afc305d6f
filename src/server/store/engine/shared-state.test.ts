import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { BOTH_DATABASES } from '../../../../test/support/databases.ts'
import { openTestDatabase } from '../../../../test/support/test-database.ts'
import { adjustLimit, readAdjustedLimits, restoreLimit } from '../staff/adjusted-limits.ts'
import type { Database } from './database.ts'
import { readVersion } from './installation-facts.ts'
import { useChallenge } from '../staff/staff-passkeys.ts'

const NOW = Date.UTC(2026, 10, 21)

describe.each(BOTH_DATABASES)('what processes share, on %s', (kind) => {
  let database: Database
  let remove: () => Promise<void>
  beforeAll(async () => {
    ;({ database, remove } = await openTestDatabase(kind))
  })
  afterAll(() => remove())

  test('a limit is changed only if it is as its author has seen it, and every process hears of it', async () => {
    const before = await readVersion(database, 'limits_version')
    const adjust = (value: number, expected: number | undefined) =>
      adjustLimit(
        database,
        { name: 'prompts', value, changedAt: NOW, changedBy: 'ada' },
        (now) => now?.value === expected,
        async () => undefined,
      )
    expect([await adjust(5, undefined), await adjust(6, undefined), await adjust(7, 5)]).toEqual([true, false, true])
    expect(await readAdjustedLimits(database)).toEqual(
      new Map([['prompts', { name: 'prompts', value: 7, changedAt: NOW, changedBy: 'ada' }]]),
    )
    expect(await readVersion(database, 'limits_version')).not.toBe(before)
    const restore = (name: string) => restoreLimit(database, name, async () => undefined)
    expect([await restore('other'), await restore('prompts'), await restore('prompts')]).toEqual([false, true, false])
    expect((await readAdjustedLimits(database)).size).toBe(0)
  })

  test('a challenge is used once, and forgotten when it has expired', async () => {
    const use = (now: number) => useChallenge(database, { random: 'r', expiresAt: NOW + 10 }, now)
    expect([await use(NOW), await use(NOW + 9)]).toEqual([true, false])
    expect(await useChallenge(database, { random: 'other', expiresAt: NOW + 99 }, NOW + 10)).toBe(true)
    expect(await database.selectFrom('used_challenges').select('random').execute()).toEqual([{ random: 'other' }])
  })
})
