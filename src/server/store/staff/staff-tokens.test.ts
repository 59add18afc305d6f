import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { BOTH_DATABASES } from '../../../../test/support/databases.ts'
import { openTestDatabase } from '../../../../test/support/test-database.ts'
import { TOKEN_SCOPES } from '../../../contract/staff/token-scopes.ts'
import type { Database } from '../engine/database.ts'
import { deleteExpiredStaffTokens, deleteStaffToken, findStaffToken, insertStaffToken, listStaffTokens } from './staff-tokens.ts'

const NOW = 1_000
const [SCOPE] = TOKEN_SCOPES

describe.each(BOTH_DATABASES)('tokens for scripts on %s', (kind) => {
  let database: Database
  let remove: () => Promise<void>
  beforeAll(async () => {
    ;({ database, remove } = await openTestDatabase(kind))
  })
  afterAll(() => remove())

  test('work until they expire or are revoked, each by itself', async () => {
    const token = (id: string, createdAt: number, expiresAt = NOW + 1) => ({
      id,
      name: id,
      scopes: [SCOPE!],
      agents: ['assistant'],
      collection: createdAt === 1 ? 'library' : null,
      caps: { promptsPerMinute: 1, promptsPerDay: 2, tokensPerDay: 3 },
      createdAt,
      expiresAt,
    })
    const all = [token('late', 3), token('early', 1), token('expired', 2, NOW)]
    for (const one of all) await insertStaffToken(database, one, `hash of ${one.id}`)
    const found = (id: string) => findStaffToken(database, `hash of ${id}`, NOW)
    expect([await found('early'), await found('expired'), await found('unknown')]).toEqual([token('early', 1), undefined, undefined])
    expect(await listStaffTokens(database, NOW)).toEqual([token('early', 1), token('late', 3)])
    await deleteExpiredStaffTokens(database, NOW)
    expect((await listStaffTokens(database, 0)).map(({ id }) => id)).toEqual(['early', 'late'])
    expect([await deleteStaffToken(database, 'early'), await deleteStaffToken(database, 'early')]).toEqual([true, false])
    expect((await listStaffTokens(database, NOW)).map(({ id }) => id)).toEqual(['late'])
  })
})
