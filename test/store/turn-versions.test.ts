import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { insertPrompt } from '../../src/server/store/turns/turns.ts'
import { endTurn } from '../../src/server/store/turns/turn-ends.ts'
import { deleteUnusedVersionTexts, storeVersionTexts } from '../../src/server/store/turns/turn-versions.ts'
import { unrestricted } from '../../src/server/store/visitors/access.ts'
import { UNLIMITED } from '../support/unlimited.ts'
import { BOTH_DATABASES } from '../support/databases.ts'
import { type OpenedDatabase, openTestDatabase } from '../support/test-database.ts'

const HOUR = 3_600_000
const DAY = 24 * HOUR
const AGENT = '{"id":"assistant"}'

describe.each(BOTH_DATABASES)('what an answer was made from, on %s', (kind) => {
  let opened: OpenedDatabase
  beforeAll(async () => {
    opened = await openTestDatabase(kind)
  })
  afterAll(() => opened.remove())

  /** Stores a turn that has ended with an answer made from these. */
  async function answer(id: string, policy: string, now: number) {
    const { database } = opened
    const message = { id: `m_${id}`, role: 'user' as const, parts: [{ type: 'text' as const, text: 'Hi' }] }
    const newSession = { id: `s_${id}`, owner: `o_${id}`, agent: 'assistant', title: 'Hi', openById: false }
    const turn = { id, instance: 'i', now, claim: null, reservationsFor: () => [], count: UNLIMITED.count }
    const newVisitor = { id: `o_${id}`, keyHash: `k_${id}` }
    await insertPrompt(database, { ...turn, message, continues: null, newSession, newVisitor })
    const versions = { agent: AGENT, policy, knowledge: 'fees.md 1234', model: 'small' }
    const end = { status: 'done', code: null, state: 'answered', usage: null, versions } as const
    await endTurn(database, id, { ...end, answer: { id: `a_${id}`, role: 'assistant', parts: [] } }, now)
    return database.selectFrom('turns').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
  }
  const contents = async () =>
    (await opened.database.selectFrom('version_texts').select('content').orderBy('content').execute()).map(({ content }) => content)

  test('is marked as used again after an hour, and deleted a day later if nothing names it', async () => {
    const seenAt = async () => {
      const { seen_at: at } = await opened.database
        .selectFrom('version_texts')
        .select('seen_at')
        .where('content', '=', 'a policy of its own')
        .executeTakeFirstOrThrow()
      return at
    }
    const store = (now: number) =>
      storeVersionTexts(opened.database, { agent: 'an agent of its own', policy: 'a policy of its own', knowledge: null, model: null }, now)
    for (const [now, seen] of [
      [5, 5],
      [4 + HOUR, 5],
      [5 + HOUR, 5 + HOUR],
    ] as const) {
      await store(now)
      expect(await seenAt()).toBe(seen)
    }
    const lastDay = 5 + HOUR + DAY
    await deleteUnusedVersionTexts(opened.database, lastDay - 1)
    expect(await contents()).toContain('a policy of its own')
    await deleteUnusedVersionTexts(opened.database, lastDay + 1)
    expect(await contents()).not.toContain('a policy of its own')
    await opened.database.deleteFrom('version_texts').execute()
  })

  test('is stored once for all turns that name it, and kept as long as one does', async () => {
    const first = await answer('one', '{"strictness":"help"}', 1_000)
    const second = await answer('two', '{"strictness":"quote"}', 2_000)
    expect([first.agent_hash, first.model, first.knowledge_hash]).toEqual([second.agent_hash, 'small', second.knowledge_hash])
    expect(first.agent_hash).toMatch(/^[0-9a-f]{64}$/)
    expect(first.policy_hash).not.toBe(second.policy_hash)
    const all = ['fees.md 1234', AGENT, '{"strictness":"help"}', '{"strictness":"quote"}']
    expect(await contents()).toHaveLength(4)
    await deleteUnusedVersionTexts(opened.database, 1_000 + 2 * DAY)
    expect(new Set(await contents())).toEqual(new Set(all))
    await unrestricted(opened.database).deleteFrom('sessions').where('id', '=', 's_one').execute()
    await deleteUnusedVersionTexts(opened.database, 1_000 + DAY / 2)
    expect(await contents()).toHaveLength(4)
    await deleteUnusedVersionTexts(opened.database, 1_000 + 2 * DAY)
    expect(await contents()).not.toContain('{"strictness":"help"}')
    expect(await contents()).toHaveLength(3)
  })
})
