import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { BOTH_DATABASES } from '../../../../test/support/databases.ts'
import { accessOf, storeChat } from '../../../../test/support/stored-chats.ts'
import { openTestDatabase } from '../../../../test/support/test-database.ts'
import type { AnswerState } from '../../../contract/chat/answer-state.ts'
import type { Database } from '../engine/database.ts'
import { giveFeedback } from './feedback.ts'
import { endTurn } from './turn-ends.ts'
import { dismissTopic, readDismissals, readRecentPrompts, readUnanswered } from './unanswered.ts'

const HOUR_MS = 60 * 60 * 1000
const NOW = Date.UTC(2026, 10, 21)
const PERIOD = { since: NOW - HOUR_MS, before: NOW + 1, expiredBefore: NOW - 2 * HOUR_MS, limit: 50 }

describe.each(BOTH_DATABASES)('prompts without an answer on %s', (kind) => {
  let database: Database
  let remove: () => Promise<void>
  beforeAll(async () => {
    ;({ database, remove } = await openTestDatabase(kind))
    await store('covered')
    await store('not-covered', { state: 'not_covered' })
    await store('rated', { thumb: 'down' })
    await store('liked', { thumb: 'up' })
    await store('everything', { state: 'not_covered', thumb: 'down' })
    await store('too-old', { state: 'not_covered', at: NOW - HOUR_MS - 1 })
    await store('temporary', { state: 'not_covered', temporary: true })
  })
  afterAll(() => remove())

  interface Stored {
    at?: number
    state?: AnswerState
    thumb?: 'up' | 'down'
    temporary?: boolean
  }

  async function store(id: string, { at = NOW, state = 'answered', thumb, temporary = false }: Stored = {}): Promise<void> {
    await storeChat(database, { id, owner: `c_${id}`, at, prompt: `ask ${id}`, answer: null, temporary })
    const answer = { id: `${id}-answer`, role: 'assistant' as const, parts: [], metadata: { turnId: `${id}-turn` } }
    await endTurn(database, `${id}-turn`, { status: 'done', code: null, state, usage: null, answer }, at)
    if (thumb) await giveFeedback(database, { id, access: accessOf(`c_${id}`, at) }, `${id}-answer`, { thumb })
  }

  test('are those that nothing covers, or whose answer was rated down', async () => {
    const found = (await readUnanswered(database, PERIOD)).toSorted((one, other) => (one.turnId < other.turnId ? -1 : 1))
    expect(found.map(({ turnId, reasons }) => [turnId, [...reasons].toSorted()])).toEqual([
      ['everything-turn', ['notCovered', 'ratedDown']],
      ['not-covered-turn', ['notCovered']],
      ['rated-turn', ['ratedDown']],
    ])
    expect(found[0]).toMatchObject({ owner: 'c_everything', text: 'ask everything', at: NOW })
  })

  test('are as many as asked for, and not of chats that have expired', async () => {
    expect((await readUnanswered(database, { ...PERIOD, limit: 1 })).length).toBeLessThanOrEqual(3)
    const expired = { ...PERIOD, since: NOW - 2 * HOUR_MS, expiredBefore: NOW - HOUR_MS }
    expect((await readUnanswered(database, expired)).map(({ turnId }) => turnId)).not.toContain('too-old-turn')
    const earlier = await readUnanswered(database, { ...PERIOD, since: NOW - 2 * HOUR_MS, before: NOW - HOUR_MS })
    expect(earlier.map(({ turnId }) => turnId)).toEqual(['too-old-turn'])
    const older = await readUnanswered(database, { ...PERIOD, since: NOW - 2 * HOUR_MS })
    expect(older.map(({ turnId }) => turnId)).toContain('too-old-turn')
  })

  test('stand beside all recent prompts, which say whether they were answered', async () => {
    const recent = await readRecentPrompts(database, PERIOD)
    expect(recent.map(({ text, isAnswered }) => `${text}: ${isAnswered}`).toSorted()).toEqual([
      'ask covered: true',
      'ask everything: false',
      'ask liked: true',
      'ask not-covered: false',
      'ask rated: true',
    ])
    expect(recent.every(({ at }) => at === NOW)).toBe(true)
  })

  test('can be dismissed by topic, which is forgotten in time', async () => {
    const dismiss = (id: string, now: number, forgotten = 0) => dismissTopic(database, { id, now, forgotten }, async () => undefined)
    await dismiss('tea', 10)
    await dismiss('coffee', 20)
    await dismiss('tea', 30)
    expect(await readDismissals(database)).toEqual(
      new Map([
        ['tea', 30],
        ['coffee', 20],
      ]),
    )
    await dismiss('water', 40, 30)
    expect(await readDismissals(database)).toEqual(
      new Map([
        ['tea', 30],
        ['water', 40],
      ]),
    )
  })
})
