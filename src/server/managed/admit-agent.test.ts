import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { BOTH_DATABASES } from '../../../test/support/databases.ts'
import { openTestDatabase } from '../../../test/support/test-database.ts'
import { AuditLog } from '../staff/audit.ts'
import type { Database } from '../store/engine/database.ts'
import { endEvaluation, insertEvaluation } from '../store/knowledge/agent-evaluations.ts'
import { MANAGED_AGENTS, textHash } from '../store/knowledge/managed-texts.ts'
import { admitAgent } from './admit-agent.ts'
import { ManagedLife } from './managed-life.ts'

const NOW = Date.UTC(2026, 10, 21)
const DRAFT = 'the draft'
const CASES = 'the cases'
const nothing = async () => undefined
const problems = { taken: 'agent_exists', 'too-many': 'too_many_agents', inForce: 'agent_in_force' } as const

describe.each(BOTH_DATABASES)('publishing agents on %s', (kind) => {
  let database: Database
  let remove: () => Promise<void>
  let life: ManagedLife
  beforeAll(async () => {
    ;({ database, remove } = await openTestDatabase(kind))
    life = new ManagedLife(
      { texts: MANAGED_AGENTS, action: 'agent', problems, rejectionOf: async () => null, admit: admitAgent, apply: nothing },
      { database, audit: new AuditLog('key'), now: () => NOW },
    )
  })
  afterAll(() => remove())

  const publish = (id: string, anyway = false, revision = 1) => life.publish({ id, revision, anyway }, 'grace')
  async function evaluate(id: string, ...right: boolean[]): Promise<void> {
    const about = { id, textHash: textHash(DRAFT), casesHash: textHash(CASES), total: right.length, by: 'ada', at: NOW }
    const number = await insertEvaluation(database, about, nothing)
    const cases = right.map((isRight, index) => ({ name: `case ${index + 1}`, isRight, turns: [] }))
    await endEvaluation(database, { id, number: Number(number), status: 'done', asked: right.length, cases, at: NOW })
  }

  test('an agent with cases has to answer them right, unless it is published anyway', async () => {
    await life.create({ id: 'strict', text: DRAFT }, 'ada')
    await MANAGED_AGENTS.saveCases(database, { id: 'strict', text: CASES, basedOn: 0, by: 'ada', at: NOW }, nothing)
    expect(await publish('strict')).toEqual({ rejected: 'agent_not_evaluated' })
    await evaluate('strict', true, false)
    expect(await publish('strict')).toEqual({ rejected: 'evaluation_failed', detail: 'Wrong: “case 2”.' })
    expect(await MANAGED_AGENTS.read(database, 'strict')).toMatchObject({ inForce: null })
    expect(await publish('strict', true)).toEqual({ number: 1 })
    await evaluate('strict', true, true)
    expect(await publish('strict')).toEqual({ number: 2 })
    await life.save({ id: 'strict', text: 'another', basedOn: 1 }, 'ada')
    expect(await publish('strict', false, 2)).toEqual({ rejected: 'agent_not_evaluated' })
    expect(await publish('strict', true, 2)).toEqual({ number: 3 })
    const publications = await MANAGED_AGENTS.publications(database, 'strict')
    expect(publications.map(({ number, evaluation }) => [number, evaluation])).toEqual([
      [3, null],
      [2, { right: 2, total: 2 }],
      [1, { right: 1, total: 2 }],
    ])
    expect(publications[1]).toMatchObject({ text: DRAFT, hash: textHash(DRAFT), by: 'grace', at: NOW, restores: null })
  })

  test('one without cases is published as it is', async () => {
    await life.create({ id: 'free', text: DRAFT }, 'ada')
    expect(await publish('free')).toEqual({ number: 1 })
    expect(await publish('unknown')).toEqual({ rejected: 'not_found' })
  })
})
