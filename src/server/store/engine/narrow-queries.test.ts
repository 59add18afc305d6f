import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { BOTH_DATABASES } from '../../../../test/support/databases.ts'
import { accessOf, storeChat, storeMore } from '../../../../test/support/stored-chats.ts'
import { type OpenedDatabase, openTestDatabase } from '../../../../test/support/test-database.ts'
import { findMessagePosition, findPromptOf, listLastAnswers } from '../sessions/branches.ts'
import { eraseRows } from '../sessions/erased-rows.ts'
import { giveFeedback } from '../turns/feedback.ts'
import { purgeIdempotencyKeys } from '../turns/idempotency.ts'
import { hasRunning } from '../turns/turns.ts'
import { listSessions } from '../sessions/sessions.ts'
import { deleteTurnEvents, insertTurnEvents, listTurnEvents } from '../turns/turn-events.ts'
import { insertTransfer, useTransfer } from '../visitors/transfers.ts'
import { deleteOtherKeys, insertVisitor, insertVisitorKey } from '../visitors/visitors.ts'

const NOW = Date.UTC(2026, 10, 26)

describe.each(BOTH_DATABASES)('on %s', (kind) => {
  let opened: OpenedDatabase
  beforeAll(async () => {
    opened = await openTestDatabase(kind)
  })
  afterAll(() => opened.remove())

  const visitor = (id: string) => insertVisitor(opened.database, { id, keyHash: `key of ${id}` }, NOW)
  const chat = (id: string, owner: string, answer: string | null = 'hello') => storeChat(opened.database, { id, owner, at: NOW, answer })

  test('deleting the events of a turn keeps those of others', async () => {
    const { database } = opened
    await visitor('v_events')
    for (const id of ['one', 'other']) await chat(id, 'v_events', null)
    const event = (turn: string) => ({ turnId: turn, firstSeq: 1, lastSeq: 1, chunks: '[{"type":"start"}]' })
    await insertTurnEvents(database, 'here', [event('one-turn'), event('other-turn')])
    await deleteTurnEvents(database, 'one-turn')
    const left = await Promise.all(['one-turn', 'other-turn'].map((turn) => listTurnEvents(database, turn, 0, 1_000)))
    expect(left.map(({ length }) => length)).toEqual([0, 1])
  })

  test('the prompt of an answer is that of its own chat', async () => {
    const { database } = opened
    await visitor('v_prompts')
    for (const id of ['asks', 'asks-too']) await chat(id, 'v_prompts')
    for (const id of ['asks', 'asks-too']) {
      const answer = await findMessagePosition(database, id, `${id}-answer`)
      expect(await findPromptOf(database, id, answer!)).toMatchObject({ id: `${id}-prompt` })
      expect((await listLastAnswers(database, id, answer!.position)).map(({ message }) => message.id)).toEqual([`${id}-answer`])
    }
    await storeMore(database, { id: 'asks', owner: 'v_prompts', at: NOW }, 'asks-again')
    const last = await findMessagePosition(database, 'asks', 'asks-again-answer')
    expect(await findPromptOf(database, 'asks', last!)).toMatchObject({ id: 'asks-again-prompt' })
    expect((await listLastAnswers(database, 'asks', last!.position)).map(({ message }) => message.id)).toEqual(['asks-again-answer'])
  })

  test('erasing a device again keeps the visitor’s others', async () => {
    const { database } = opened
    await visitor('v_lost')
    await visitor('v_kept')
    await eraseRows(database, 'device', ['key of v_lost'])
    const keys = await database.selectFrom('visitor_keys').select('visitor_id').where('visitor_id', 'in', ['v_lost', 'v_kept']).execute()
    expect(keys).toEqual([{ visitor_id: 'v_kept' }])
  })

  test('chats that were used at the same time are listed by their ids', async () => {
    await visitor('v_ties')
    for (const id of ['tie b', 'tie c', 'tie a']) await chat(id, 'v_ties')
    const listed = await listSessions(opened.database, accessOf('v_ties', NOW))
    expect(listed.map(({ key }) => key)).toEqual(['tie c', 'tie b', 'tie a'])
  })

  test('a device that moves to another visitor leaves its chats only where that is allowed', async () => {
    const { database } = opened
    for (const id of ['v_target', 'v_moving']) await visitor(id)
    await chat('kept', 'v_moving')
    await insertTransfer(database, { codeHash: 'code', visitorId: 'v_target', expiresAt: NOW + 1 })
    const use = (mayLeave: boolean) => {
      const from = { visitorId: 'v_moving', keyHash: 'key of v_moving', expiresAt: null }
      return useTransfer(database, {
        codeHash: 'code',
        key: { keyHash: 'new key', expiresAt: null },
        from,
        mayLeave,
        maxDevices: 20,
        now: NOW,
      })
    }
    expect(await use(false)).toMatchObject({ kind: 'rejected', code: 'device_in_use' })
    expect(await use(true)).toEqual({ kind: 'moved', visitorId: 'v_target', abandoned: 'v_moving' })
  })

  test('a transfer code moves one device, even if several use it at once', async () => {
    const { database } = opened
    await visitor('v_shared')
    await insertTransfer(database, { codeHash: 'shared code', visitorId: 'v_shared', expiresAt: NOW + 1 })
    const use = (device: number) =>
      useTransfer(database, {
        codeHash: 'shared code',
        key: { keyHash: `device ${device}`, expiresAt: null },
        from: null,
        mayLeave: false,
        maxDevices: 20,
        now: NOW,
      })
    const outcomes = await Promise.all(Array.from({ length: 8 }, (_, device) => use(device)))
    expect(outcomes.filter(({ kind: outcome }) => outcome === 'moved')).toHaveLength(1)
    expect(outcomes.filter((outcome) => outcome.kind === 'rejected' && outcome.code === 'transfer_code_unknown')).toHaveLength(7)
  })

  test('a rating names its turn, and what it was before', async () => {
    const { database } = opened
    await visitor('v_rates')
    await chat('rated', 'v_rates')
    const rate = (thumb: 'up' | null) =>
      giveFeedback(database, { id: 'rated', access: accessOf('v_rates', NOW) }, 'rated-answer', thumb && { thumb })
    expect(await rate('up')).toMatchObject({ before: null, after: 'up', turn: { agent: 'assistant', state: 'answered' } })
    expect(await rate(null)).toMatchObject({ before: 'up', after: null })
  })

  test('old idempotency keys are deleted a few at a time, the oldest first', async () => {
    const { database } = opened
    await visitor('v_repeats')
    const times = [1, 2, 3]
    for (const at of times) await chat(`repeats-${at}`, 'v_repeats')
    const keys = times.map((at) => ({
      scope: 's',
      key_hash: `key ${at}`,
      request_hash: 'r',
      turn_id: `repeats-${at}-turn`,
      created_at: at,
    }))
    await database.insertInto('idempotency_keys').values(keys).execute()
    expect(await purgeIdempotencyKeys(database, 3, 1)).toBe(1)
    expect(await purgeIdempotencyKeys(database, 3, 10)).toBe(1)
    expect(await database.selectFrom('idempotency_keys').select('key_hash').execute()).toEqual([{ key_hash: 'key 3' }])
  })

  test('revoking a visitor’s other devices revokes nobody else’s', async () => {
    const { database } = opened
    for (const id of ['v_revoking', 'v_unconcerned']) await visitor(id)
    await insertVisitorKey(database, { visitorId: 'v_revoking', keyHash: 'second key', expiresAt: null }, NOW)
    expect(await deleteOtherKeys(database, { visitorId: 'v_revoking', keyHash: 'key of v_revoking', expiresAt: null })).toEqual([
      'second key',
    ])
    const left = await database
      .selectFrom('visitor_keys')
      .select('key_hash')
      .where('visitor_id', 'in', ['v_revoking', 'v_unconcerned'])
      .execute()
    expect(left.map(({ key_hash }) => key_hash).toSorted()).toEqual(['key of v_revoking', 'key of v_unconcerned'])
  })

  test('the list of chats has the newest first, and no temporary one', async () => {
    const { database } = opened
    await visitor('v_listing')
    for (const [index, id] of ['first', 'second', 'third'].entries())
      await storeChat(database, { id, owner: 'v_listing', at: NOW + index, temporary: id === 'second' })
    const access = accessOf('v_listing', NOW + 3)
    expect((await listSessions(database, access)).map(({ key }) => key)).toEqual(['third', 'first'])
  })

  test('running turns are counted for their visitor alone, on PostgreSQL', async () => {
    const { database } = opened
    await visitor('v_running')
    await visitor('v_idle')
    await chat('running', 'v_running', null)
    const reached = (owner: string) => database.transaction().execute((transaction) => hasRunning(transaction, owner, 1))
    expect([await reached('v_running'), await reached('v_idle')]).toEqual([kind === 'postgres', false])
  })
})
