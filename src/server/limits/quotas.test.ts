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

  test('is exact, however many come at once', async () => {
    const quotas = new Quotas({ database: opened.database, now: () => NOW, onFault: (_, cause) => expect.fail(String(cause)) })
    const outcomes = await Promise.all(Array.from({ length: 20 }, () => quotas.use(newVisitorsUpTo(5), NOBODY)))
    expect(outcomes.filter(({ kind }) => kind === 'within')).toHaveLength(5)
  })
})
