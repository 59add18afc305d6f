import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { isMissing } from '../../../test/support/services.ts'
import { type OpenedDatabase, openTestDatabase } from '../../../test/support/test-database.ts'
import type { Quota } from './limit-settings.ts'
import { Quotas } from './quotas.ts'

const NOW = Date.UTC(2026, 10, 29)
const newVisitorsUpTo = (limit: number): Quota[] => [
  { what: 'new-visitor', of: 'server', window: 'hour', limit, code: 'too_many_visitors' },
]
const NOBODY = { visitor: null, network: null, wide: null }

describe.skipIf(isMissing('postgresql'))('the counter of all new visitors on PostgreSQL', () => {
  let opened: OpenedDatabase
  beforeAll(async () => {
    opened = await openTestDatabase('postgres')
  })
  afterAll(() => opened.remove())

  const quotasAt = (now: number) =>
    new Quotas({ database: opened.database, now: () => now, onFault: (_, cause) => expect.fail(String(cause)) })

  test('lets one be stored while another is, and counts both', async () => {
    const quotas = quotasAt(NOW)
    const many = newVisitorsUpTo(2_000)
    const used = async () => (await quotas.readUsage(many, NOBODY))[0]?.used
    await opened.database.transaction().execute(async (open) => {
      await quotas.useWithin(open, many, NOBODY)
      const another = await opened.database.transaction().execute((transaction) => quotas.useWithin(transaction, many, NOBODY))
      expect(another.usages).toMatchObject([{ used: 1 }])
    })
    expect(await used()).toBe(2)
    expect(await quotas.use(newVisitorsUpTo(2), NOBODY)).toMatchObject({ kind: 'over', usage: { used: 3 } })
    expect(await used()).toBe(2)
  })

  test('is exact for a small limit, however many come at once', async () => {
    const quotas = quotasAt(NOW + 3_600_000)
    const outcomes = await Promise.all(Array.from({ length: 20 }, () => quotas.use(newVisitorsUpTo(5), NOBODY)))
    expect(outcomes.filter(({ kind }) => kind === 'within')).toHaveLength(5)
  })
})
