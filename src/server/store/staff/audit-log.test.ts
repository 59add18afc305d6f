import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { BOTH_DATABASES } from '../../../../test/support/databases.ts'
import { openTestDatabase } from '../../../../test/support/test-database.ts'
import { appendAuditRow, type AuditFilter, readAuditHead, readAuditRows, readNewestAuditRows } from './audit-log.ts'
import type { Database } from '../engine/database.ts'

describe.each(BOTH_DATABASES)('the audit log on %s', (kind) => {
  let database: Database
  let remove: () => Promise<void>
  beforeAll(async () => {
    ;({ database, remove } = await openTestDatabase(kind))
  })
  afterAll(() => remove())

  const append = (actor: string, action: string) =>
    database.transaction().execute((transaction) =>
      appendAuditRow(transaction, (last) => {
        const number = (last?.number ?? 0) + 1
        return { row: { number, at: number, actor, action, target: null, hash: `hash ${number}` }, head: `head ${number}` }
      }),
    )
  const newest = async (filter: AuditFilter, limit = 10) => (await readNewestAuditRows(database, filter, limit)).map(({ number }) => number)

  test('continues from its last row, and stores the head with each', async () => {
    expect(await readAuditHead(database)).toBeNull()
    for (const [actor, action] of [
      ['ada', 'agent.publish'],
      ['grace', 'agent.draft'],
      ['ada', 'stop.add'],
      ['ada', 'agent.publish'],
    ] as const)
      await append(actor, action)
    expect(await readAuditHead(database)).toBe('head 4')
    await Promise.all([append('joan', 'agents'), append('joan', 'staff.invite')])
    expect((await readAuditRows(database, 0, 10)).map(({ number, hash }) => [number, hash])).toEqual(
      [1, 2, 3, 4, 5, 6].map((number) => [number, `hash ${number}`]),
    )
  })

  test('is read oldest first after a number, or newest first through a filter', async () => {
    expect((await readAuditRows(database, 2, 2)).map(({ number }) => number)).toEqual([3, 4])
    expect(await newest({})).toEqual([6, 5, 4, 3, 2, 1])
    expect(await newest({}, 2)).toEqual([6, 5])
    expect(await newest({ before: 3 })).toEqual([2, 1])
    expect(await newest({ area: 'agent' })).toEqual([4, 2, 1])
    expect(await newest({ action: 'agent.publish' })).toEqual([4, 1])
    expect(await newest({ actor: 'ada', area: 'agent', before: 4 })).toEqual([1])
  })
})
