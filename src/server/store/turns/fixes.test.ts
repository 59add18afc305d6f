import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { BOTH_DATABASES } from '../../../../test/support/databases.ts'
import { openTestDatabase } from '../../../../test/support/test-database.ts'
import type { Database } from '../engine/database.ts'
import { listFixes, readFixNames } from './fixes.ts'
import type { ApprovedDraft } from '../../../contract/staff/content/approved-answers.ts'
import { APPROVED_ANSWERS, MANAGED_AGENTS } from '../knowledge/managed-texts.ts'

const DRAFT: ApprovedDraft = {
  question: '',
  matches: [],
  mustNotMatch: [],
  languages: [],
  owner: '',
  sourceTitle: '',
  sourceUrl: '',
  validFrom: '',
  validUntil: '',
  text: '',
}

describe.each(BOTH_DATABASES)('what a report can be linked to on %s', (kind) => {
  let database: Database
  let remove: () => Promise<void>
  beforeAll(async () => {
    ;({ database, remove } = await openTestDatabase(kind))
    for (const [id, question] of [
      ['a1', 'How much is it?'],
      ['a2', ''],
    ] as const)
      await APPROVED_ANSWERS.insert(database, { id, text: JSON.stringify({ ...DRAFT, question }), by: 'ada', at: 1 }, async () => undefined)
    for (const id of ['fees', 'hours', 'parking'])
      await MANAGED_AGENTS.insert(database, { id, text: `draft of ${id}`, by: 'ada', at: 1 }, async () => undefined)
  })
  afterAll(() => remove())

  test('are the records that staff manage', async () => {
    expect(await listFixes(database)).toEqual([
      { kind: 'approved-answer', id: 'a1', name: 'How much is it?' },
      { kind: 'approved-answer', id: 'a2', name: 'a2' },
      ...['fees', 'hours', 'parking'].map((id) => ({ kind: 'agent', id, name: id })),
    ])
  })

  test('are at most 50 agents', async () => {
    const insert = (index: number) =>
      MANAGED_AGENTS.insert(database, { id: `agent-${index}`, text: '', by: 'ada', at: 1 }, async () => undefined)
    for (let index = 4; index <= 50; index += 1) expect(await insert(index)).toBe('inserted')
    expect(await insert(51)).toBe('too-many')
  })

  test('are named by kind and id, unless they are gone', async () => {
    const nameOf = await readFixNames(database, [
      { kind: 'agent', id: 'fees' },
      { kind: 'agent', id: 'gone' },
      { kind: 'document', id: 'fees' },
      { kind: 'approved-answer', id: 'a2' },
    ])
    expect(['a1', 'a2'].map((id) => nameOf({ kind: 'approved-answer', id }))).toEqual([null, 'a2'])
    const names = (['fees', 'gone', 'hours'] as const).map((id) => nameOf({ kind: 'agent', id }))
    expect([...names, nameOf({ kind: 'document', id: 'fees' })]).toEqual(['fees', null, null, null])
  })
})
