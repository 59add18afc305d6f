import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { BOTH_DATABASES } from '../../../../test/support/databases.ts'
import { openTestDatabase } from '../../../../test/support/test-database.ts'
import { MAX_EVALUATIONS } from '../../../contract/staff/content/evaluations.ts'
import {
  askToStopEvaluation,
  endEvaluation,
  EVALUATION_LEASE_MS,
  findEvaluation,
  insertEvaluation,
  listEvaluations,
  readEvaluation,
  touchEvaluation,
} from './agent-evaluations.ts'
import type { Database } from '../engine/database.ts'
import { MANAGED_AGENTS, textHash } from './managed-texts.ts'

const NOW = Date.UTC(2026, 10, 21)
const CASES = 'the cases'
const nothing = async () => undefined

describe.each(BOTH_DATABASES)('evaluations of agents on %s', (kind) => {
  let database: Database
  let remove: () => Promise<void>
  beforeAll(async () => {
    ;({ database, remove } = await openTestDatabase(kind))
  })
  afterAll(() => remove())

  const result = (name: string, isRight: boolean) => ({ name, isRight, turns: [] })

  /** An agent with a draft and cases. */
  async function agent(id: string, cases = CASES): Promise<void> {
    await MANAGED_AGENTS.insert(database, { id, text: `draft of ${id}`, by: 'ada', at: NOW }, nothing)
    if (cases) await MANAGED_AGENTS.saveCases(database, { id, text: cases, basedOn: 0, by: 'ada', at: NOW }, nothing)
  }
  const begin = (id: string, at = NOW, draft = `draft of ${id}`) =>
    insertEvaluation(database, { id, textHash: textHash(draft), casesHash: textHash(CASES), total: 2, by: 'ada', at }, nothing)
  const end = (id: string, number: number, ...right: boolean[]) => {
    const cases = right.map((isRight, index) => result(`case ${index + 1}`, isRight))
    return endEvaluation(database, { id, number, status: 'done', asked: right.length, cases, at: NOW + 5 })
  }

  test('run one at a time, until their process is silent for half a minute', async () => {
    await agent('one')
    expect([await begin('one'), await begin('one', NOW + EVALUATION_LEASE_MS - 1)]).toEqual([1, 'running'])
    expect(await touchEvaluation(database, { id: 'one', number: 1, asked: 1, at: NOW + 1 })).toBe(false)
    expect(await begin('one', NOW + EVALUATION_LEASE_MS)).toBe('running')
    expect(await listEvaluations(database, 'one', NOW + 2)).toEqual([
      {
        number: 1,
        textHash: textHash('draft of one'),
        casesHash: textHash(CASES),
        status: 'running',
        total: 2,
        asked: 1,
        right: 0,
        by: 'ada',
        startedAt: NOW,
        endedAt: null,
      },
    ])
    expect(await begin('one', NOW + EVALUATION_LEASE_MS + 1)).toBe(2)
    const listed = await listEvaluations(database, 'one', NOW + EVALUATION_LEASE_MS + 1)
    expect(listed.map(({ number, status, endedAt }) => [number, status, endedAt])).toEqual([
      [2, 'running', null],
      [1, 'interrupted', NOW + 1],
    ])
  })

  test('do not begin for a draft that has changed, or an agent that is gone', async () => {
    await agent('changed')
    expect([await begin('changed', NOW, 'another draft'), await begin('unknown')]).toEqual(['changed', 'changed'])
    expect(await listEvaluations(database, 'changed', NOW)).toEqual([])
  })

  test('stop when they are asked to, and no other does', async () => {
    for (const id of ['stopped', 'going-on']) {
      await agent(id)
      await begin(id)
    }
    const mustStop = (id: string) => touchEvaluation(database, { id, number: 1, asked: 1, at: NOW })
    expect(await askToStopEvaluation(database, 'stopped', 2)).toBe(false)
    expect(await mustStop('stopped')).toBe(false)
    expect(await askToStopEvaluation(database, 'stopped', 1)).toBe(true)
    expect([await mustStop('stopped'), await mustStop('going-on'), await mustStop('unknown')]).toEqual([true, false, true])
    await end('stopped', 1)
    expect([await askToStopEvaluation(database, 'stopped', 1), await mustStop('stopped')]).toEqual([false, true])
  })

  test('keep their results, counted, for the text and the cases that they are about', async () => {
    await agent('results')
    await begin('results')
    const about = { id: 'results', textHash: textHash('draft of results'), casesHash: textHash(CASES) }
    expect(await findEvaluation(database, about)).toBeUndefined()
    expect(await readEvaluation(database, 'results', 1, NOW)).toMatchObject({ status: 'running', cases: [] })
    await end('results', 1, true, false)
    const cases = [result('case 1', true), result('case 2', false)]
    expect(await findEvaluation(database, about)).toEqual({ right: 1, total: 2, cases })
    expect(await readEvaluation(database, 'results', 1, NOW)).toMatchObject({ status: 'done', right: 1, asked: 2, endedAt: NOW + 5, cases })
    expect(await readEvaluation(database, 'results', 2, NOW)).toBeUndefined()
    expect(await findEvaluation(database, { ...about, textHash: 'other' })).toBeUndefined()
    expect(await findEvaluation(database, { ...about, casesHash: 'other' })).toBeUndefined()
    expect(await findEvaluation(database, { ...about, id: 'stopped' })).toBeUndefined()
    await begin('results', NOW + 10)
    await end('results', 2, true, true)
    expect(await findEvaluation(database, about)).toMatchObject({ right: 2 })
  })

  test('are kept as far as they are listed, each agent’s by themselves', async () => {
    await agent('many')
    await agent('few')
    await begin('few')
    for (let number = 1; number <= MAX_EVALUATIONS + 1; number += 1) {
      expect(await begin('many')).toBe(number)
      await end('many', number)
    }
    const listed = await listEvaluations(database, 'many', NOW)
    expect([listed.length, listed[0]?.number, listed.at(-1)?.number]).toEqual([MAX_EVALUATIONS, MAX_EVALUATIONS + 1, 2])
    expect(await readEvaluation(database, 'many', 1, NOW)).toBeUndefined()
    expect(await listEvaluations(database, 'few', NOW)).toHaveLength(1)
  })

  test('cases are saved only as their author has seen them', async () => {
    await agent('cases', '')
    expect(await MANAGED_AGENTS.read(database, 'cases')).toMatchObject({ cases: { text: '', revision: 0, by: null, at: null } })
    const save = (basedOn: number) =>
      MANAGED_AGENTS.saveCases(database, { id: 'cases', text: `after ${basedOn}`, basedOn, by: 'ada', at: NOW }, nothing)
    expect([await save(1), await save(0), await save(0)]).toEqual([false, true, false])
    expect(await MANAGED_AGENTS.read(database, 'cases')).toMatchObject({ cases: { text: 'after 0', revision: 1, by: 'ada', at: NOW } })
    expect(await MANAGED_AGENTS.read(database, 'unknown')).toBeUndefined()
  })
})
