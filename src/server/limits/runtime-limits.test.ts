import { afterEach, beforeEach, expect, test } from 'vitest'
import { BUDGETS, limitsWith, NOW } from '../../../test/support/guard.ts'
import { type OpenedDatabase, openTestDatabase } from '../../../test/support/test-database.ts'
import { adjustLimit, restoreLimit } from '../store/staff/adjusted-limits.ts'
import { VersionFollower } from '../store/engine/version-follower.ts'
import { openRuntimeLimits, type RuntimeLimits } from './runtime-limits.ts'

const ENVIRONMENT = { limits: limitsWith({ promptsPerDay: 10 }), budgets: BUDGETS }
const record = async () => undefined

let opened: OpenedDatabase
let versions: VersionFollower
let limits: RuntimeLimits
const faults: string[] = []
beforeEach(async () => {
  opened = await openTestDatabase('sqlite')
  faults.length = 0
  versions = new VersionFollower({ database: opened.database, intervalMs: () => 50 })
})
afterEach(async () => {
  await versions.close()
  await opened.remove()
})

async function open(): Promise<void> {
  limits = await openRuntimeLimits({
    database: opened.database,
    versions,
    environment: ENVIRONMENT,
    isSet: (setting) => setting === 'LIMIT_PROMPTS_PER_DAY',
    onFault: (message) => faults.push(message),
  })
}
const adjust = (value: number) =>
  adjustLimit(opened.database, { name: 'promptsPerDay', value, changedAt: NOW, changedBy: 'ada' }, () => true, record)
const promptsPerDay = () => limits.current.limits.promptsPerDay

test('the limits of the environment are in force until staff change one, and again when they take that back', async () => {
  await open()
  expect(limits.current).toEqual(ENVIRONMENT)
  await adjust(15)
  await expect.poll(promptsPerDay).toBe(15)
  await adjust(100)
  await expect.poll(promptsPerDay).toBe(20)
  await restoreLimit(opened.database, 'promptsPerDay', record)
  await expect.poll(promptsPerDay).toBe(10)
  expect(limits.environment).toBe(ENVIRONMENT)
  expect(['LIMIT_PROMPTS_PER_DAY', 'LIMIT_STREAMS'].map(limits.isSet)).toEqual([true, false])
})

test('a change from before the start is in force at once', async () => {
  await adjust(20)
  await open()
  expect(promptsPerDay()).toBe(20)
})

test('the limits known last are in force while they can’t be read', async () => {
  await adjust(20)
  await open()
  await opened.database.schema.alterTable('adjusted_limits').renameTo('elsewhere').execute()
  await opened.database.updateTable('installation_facts').set({ value: 'another' }).where('name', '=', 'limits_version').execute()
  await expect.poll(() => faults).toEqual(['Reading the limits that staff have changed failed; retrying'])
  expect(promptsPerDay()).toBe(20)
  await opened.database.schema.alterTable('elsewhere').renameTo('adjusted_limits').execute()
})
