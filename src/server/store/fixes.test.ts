import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { DATABASES } from '../../../test/support/databases.ts'
import { openTestDatabase } from '../../../test/support/test-database.ts'
import type { Database } from './database.ts'
import { listFixes, readFixNames } from './fixes.ts'
import { MANAGED_AGENTS } from './managed-agents.ts'

describe.each(DATABASES)('what a report can be linked to on %s', (kind) => {
  let database: Database
  let remove: () => Promise<void>
  beforeAll(async () => {
    ;({ database, remove } = await openTestDatabase(kind))
    for (const id of ['fees', 'hours', 'parking'])
      await MANAGED_AGENTS.insert(database, { id, text: `draft of ${id}`, by: 'ada', at: 1 }, async () => undefined)
  })
  afterAll(() => remove())

  test('are the records that staff manage', async () => {
    expect(await listFixes(database)).toEqual(['fees', 'hours', 'parking'].map((id) => ({ kind: 'agent', id, name: id })))
  })

  test('are named by kind and id, unless they are gone', async () => {
    const nameOf = await readFixNames(database, [
      { kind: 'agent', id: 'fees' },
      { kind: 'agent', id: 'gone' },
      { kind: 'document', id: 'fees' },
    ])
    const names = (['fees', 'gone', 'hours'] as const).map((id) => nameOf({ kind: 'agent', id }))
    expect([...names, nameOf({ kind: 'document', id: 'fees' })]).toEqual(['fees', null, null, null])
  })
})
