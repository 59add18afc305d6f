import { afterEach, beforeEach, expect, test } from 'vitest'
import { NewToken } from '../../contract/staff/tokens.ts'
import { type OpenedDatabase, openTestDatabase } from '../../../test/support/test-database.ts'
import { AuditLog, OPERATOR } from './audit.ts'
import { StaffTokens } from './staff-tokens.ts'

const DAY_MS = 86_400_000

let opened: OpenedDatabase
let now: number
let tokens: StaffTokens
beforeEach(async () => {
  opened = await openTestDatabase('sqlite')
  now = Date.UTC(2026, 10, 20)
  tokens = new StaffTokens({ database: opened.database, audit: new AuditLog('key'), now: () => now })
})
afterEach(() => opened.remove())

const create = (days = 3) =>
  tokens.create({ ...NewToken.parse({ name: 'Report', scopes: ['read:figures', 'read:figures'], days }), actor: OPERATOR })

test('a token works until its time, and is forgotten with the next one', async () => {
  const created = await create()
  now += 3 * DAY_MS - 1
  expect(await tokens.find(created!.token)).toMatchObject({ scopes: ['read:figures'] })
  now += 1
  expect(await tokens.find(created!.token)).toBeNull()
  expect(await tokens.list()).toEqual([])
  await create()
  expect(await opened.database.selectFrom('staff_tokens').select('id').execute()).toHaveLength(1)
})

test('is stored as a hash alone', async () => {
  const created = await create()
  expect(JSON.stringify(await opened.database.selectFrom('staff_tokens').selectAll().execute())).not.toContain(created!.token.slice(7))
})

test('there are fifty at most', async () => {
  for (let index = 0; index < 50; index++) expect(await create()).not.toBeNull()
  expect(await create()).toBeNull()
  expect(await create()).toBeNull()
  now += 3 * DAY_MS
  expect(await create()).not.toBeNull()
})
