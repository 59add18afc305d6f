import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { unrestricted } from '../../src/server/store/visitors/access.ts'
import type { Database } from '../../src/server/store/engine/database.ts'
import { type DatabaseSettings, openDatabase } from '../../src/server/store/engine/open-database.ts'
import { MAX_LISTED_CHARACTERS } from '../../src/contract/size-limits.ts'
import type { IdempotencyClaim } from '../../src/server/store/turns/idempotency.ts'
import { listMessages, listMessagesOf, listSessions } from '../../src/server/store/sessions/sessions.ts'
import { endTurn } from '../../src/server/store/turns/turn-ends.ts'
import { insertPrompt } from '../../src/server/store/turns/turns.ts'
import { findVisitorKey } from '../../src/server/store/visitors/visitors.ts'
import { purge } from '../../src/server/visitors/purge.ts'
import { BOTH_DATABASES } from '../support/databases.ts'
import { openTestDatabase } from '../support/test-database.ts'

const DAY_MS = 24 * 60 * 60 * 1000
const NOW = Date.UTC(2026, 10, 21)

describe.each(BOTH_DATABASES)('maintenance on %s', (kind) => {
  let database: Database
  let settings: DatabaseSettings
  let remove: () => Promise<void>
  beforeAll(async () => {
    ;({ database, settings, remove } = await openTestDatabase(kind))
  })
  afterAll(() => remove())

  const access = (owner: string) => ({ owner, credential: true, now: NOW, retentionMs: 30 * DAY_MS })

  /** A visitor's first prompt, sent at `now` and not yet answered. */
  async function send(name: string, now: number, claim: IdempotencyClaim | null = null): Promise<string> {
    const message = { id: `m_${name}`, role: 'user' as const, parts: [{ type: 'text' as const, text: 'hi' }] }
    const newSession = { id: `s_${name}`, owner: `v_${name}`, agent: 'assistant', title: name, openById: false }
    const newVisitor = { id: `v_${name}`, keyHash: name }
    const sent = await insertPrompt(database, {
      id: `t_${name}`,
      instance: 'here',
      now,
      claim,
      reservationsFor: () => [],
      count: async () => undefined,
      message,
      continues: null,
      newSession,
      newVisitor,
    })
    return sent.kind
  }

  const answer = (name: string) => ({ id: `a_${name}`, role: 'assistant' as const, parts: [], metadata: { turnId: `t_${name}` } })

  test('deletes all chats without activity during the retention period, their visitors, and no others', async () => {
    const count = 120
    for (let index = 0; index < count; index += 1) {
      await send(`old-${index}`, NOW - 31 * DAY_MS)
      await endTurn(
        database,
        `t_old-${index}`,
        { status: 'done', code: null, state: 'answered', usage: null, answer: answer(`old-${index}`) },
        NOW - 31 * DAY_MS,
      )
    }
    await send('recent', NOW - 29 * DAY_MS)
    await endTurn(
      database,
      't_recent',
      { status: 'done', code: null, state: 'answered', usage: null, answer: answer('recent') },
      NOW - 29 * DAY_MS,
    )
    expect(await purge(database, 30 * DAY_MS, NOW)).toBe(count)
    expect(await listSessions(database, access('v_old-0'))).toEqual([])
    expect(await listMessages(database, 's_old-0')).toEqual([])
    expect(await findVisitorKey(database, 'old-0', NOW)).toBeUndefined()
    expect(await listSessions(database, access('v_recent'))).toHaveLength(1)
    expect(await findVisitorKey(database, 'recent', NOW)).toMatchObject({ visitorId: 'v_recent' })
    expect(await purge(database, 30 * DAY_MS, NOW)).toBe(0)
  })

  test('deletes idempotency keys after a day, and with their turn', async () => {
    const claim = (key: string) => ({ scopes: [''], keyHash: key, requestHash: 'same' })
    await send('keyed-yesterday', NOW - DAY_MS - 1, claim('old'))
    await send('keyed-today', NOW - DAY_MS, claim('new'))
    await send('keyed-and-deleted', NOW, claim('deleted'))
    await purge(database, 30 * DAY_MS, NOW)
    await unrestricted(database).deleteFrom('sessions').where('id', '=', 's_keyed-and-deleted').execute()
    expect(await send('again-1', NOW, claim('old'))).toBe('accepted')
    expect(await send('again-2', NOW, claim('new'))).toBe('repeated')
    expect(await send('again-3', NOW, claim('deleted'))).toBe('accepted')
    const made = ['s_keyed-yesterday', 's_keyed-today', 's_again-1', 's_again-3']
    await unrestricted(database).deleteFrom('sessions').where('id', 'in', made).execute()
  })

  test('lists the newest messages that fit, oldest first, and at least one', async () => {
    await send('long', NOW)
    const part = { type: 'text' as const, text: 'x'.repeat(1000) }
    const end = {
      status: 'done' as const,
      code: null,
      state: 'answered' as const,
      usage: null,
      answer: { ...answer('long'), parts: [part] },
    }
    await endTurn(database, 't_long', end, NOW)
    const ids = async (characters?: number) => (await listMessages(database, 's_long', characters)).map((message) => message.id)
    expect(await ids()).toEqual(['m_long', 'a_long'])
    expect(await ids(1000)).toEqual(['a_long'])
    expect(await ids(1)).toEqual(['a_long'])
  })

  test('bounds a list of sessions by their size, newest first', async () => {
    const text = 'x'.repeat(MAX_LISTED_CHARACTERS / 2)
    for (const name of ['big-1', 'big-2', 'big-3']) {
      await send(name, NOW)
      await endTurn(
        database,
        `t_${name}`,
        { status: 'done', code: null, state: 'answered', usage: null, answer: { ...answer(name), parts: [{ type: 'text', text }] } },
        NOW,
      )
    }
    expect([...(await listMessagesOf(database, ['s_big-1', 's_big-2', 's_big-3'])).keys()]).toEqual(['s_big-1', 's_big-2'])
  })

  test.runIf(kind === 'postgres')('opens as many connections as the pool may have, and no more', async () => {
    const small = await openDatabase({ ...settings, connections: 3 } as DatabaseSettings, () => undefined)
    try {
      const { promise: allConnected, resolve } = Promise.withResolvers<void>()
      const processes = new Set<number>()
      const connect = () =>
        small.transaction().execute(async (transaction) => {
          const { rows } = await sql<{ id: number }>`select pg_backend_pid() as id`.execute(transaction)
          if (rows[0] && processes.add(rows[0].id).size === 3) resolve()
          await allConnected
        })
      await Promise.all(Array.from({ length: 8 }, connect))
      expect(processes.size).toBe(3)
    } finally {
      await small.destroy()
    }
  })

  test('stores only one of several concurrent ends', async () => {
    await send('race', NOW)
    const ends = (['done', 'stopped', 'failed'] as const).map((status) =>
      endTurn(
        database,
        't_race',
        {
          status,
          code: null,
          state: status === 'done' ? 'answered' : status,
          usage: null,
          answer: { ...answer('race'), id: `a_${status}` },
        },
        NOW,
      ),
    )
    expect((await Promise.all(ends)).filter(Boolean)).toHaveLength(1)
    expect(await listMessages(database, 's_race')).toHaveLength(2)
  })
})
