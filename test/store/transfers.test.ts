import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { rejection } from '../../src/contract/rejection.ts'
import { unrestricted } from '../../src/server/store/visitors/access.ts'
import type { Database } from '../../src/server/store/engine/database.ts'
import { findVisitorKey, insertVisitor, type VisitorKey } from '../../src/server/store/visitors/visitors.ts'
import { Transfers } from '../../src/server/visitors/transfers.ts'
import { hashOfVisitorKey } from '../../src/server/visitors/visitor-key.ts'
import { sweep } from '../../src/server/visitors/purge.ts'
import { BOTH_DATABASES } from '../support/databases.ts'
import { openTestDatabase } from '../support/test-database.ts'

const MINUTE_MS = 60 * 1000

describe.each(BOTH_DATABASES)('transfer codes on %s', (kind) => {
  let database: Database
  let remove: () => Promise<void>
  let now = Date.UTC(2026, 10, 21)
  let transfers: Transfers
  beforeAll(async () => {
    ;({ database, remove } = await openTestDatabase(kind))
    transfers = new Transfers({ database, now: () => now })
    await database.transaction().execute((transaction) => insertVisitor(transaction, { id: 'v_1', keyHash: 'first' }, now))
  })
  afterAll(() => remove())

  const use = (code: string, from: VisitorKey | null = null) => transfers.use({ code, from, replace: false, device: undefined })

  test('work for ten minutes', async () => {
    const early = await transfers.begin('v_1')
    now += 10 * MINUTE_MS - 1
    expect(await use(early.code)).toMatchObject({ kind: 'moved', visitorId: 'v_1' })
    const late = await transfers.begin('v_1')
    now += 10 * MINUTE_MS
    expect(await use(late.code)).toEqual(rejection('transfer_code_unknown'))
  })

  test('are deleted when they expire', async () => {
    await transfers.begin('v_1')
    now += 11 * MINUTE_MS
    await sweep(database, now)
    expect(await database.selectFrom('transfers').select('visitor_id').execute()).toEqual([])
  })

  test('read the chats and keys of the visitors concerned only', async () => {
    const session = { agent: 'assistant', title: '', open_by_id: 0, temporary: 0, created_at: now, updated_at: now }
    await database.transaction().execute(async (transaction) => {
      await insertVisitor(transaction, { id: 'v_leaves', keyHash: 'leaves' }, now)
      await insertVisitor(transaction, { id: 'v_other', keyHash: 'other' }, 0)
      await unrestricted(transaction)
        .insertInto('sessions')
        .values({ id: 's_other', owner: 'v_other', ...session })
        .execute()
    })
    const { code } = await transfers.begin('v_1')
    const from = { visitorId: 'v_leaves', keyHash: 'leaves', expiresAt: null }
    const moved = await use(code, from)
    expect(moved).toMatchObject({ kind: 'moved', visitorId: 'v_1', abandoned: 'v_leaves' })
    expect(await findVisitorKey(database, 'other', now)).toMatchObject({ visitorId: 'v_other' })
  })

  test('have at least 128 random bits, of which only a hash is stored', async () => {
    const codes = await Promise.all(Array.from({ length: 20 }, async () => (await transfers.begin('v_1')).code))
    expect(new Set(codes).size).toBe(20)
    for (const code of codes) expect(Buffer.from(code, 'base64url').length).toBeGreaterThanOrEqual(16)
    const stored = JSON.stringify(await database.selectFrom('transfers').selectAll().execute())
    for (const code of codes) expect(stored).not.toContain(code)
  })

  test('allow a visitor twenty devices, and sign out the oldest for one more', async () => {
    const bystander = { id: 'v_bystander', keyHash: 'bystander' }
    await database.transaction().execute((transaction) => insertVisitor(transaction, bystander, now + 60 * MINUTE_MS))
    const keys: string[] = []
    for (let count = 0; count < 21; count += 1) {
      now += 1
      const outcome = await use((await transfers.begin('v_1')).code)
      keys.push(outcome.kind === 'moved' ? outcome.key : '')
    }
    const opens = async (key: string | undefined) => (await findVisitorKey(database, hashOfVisitorKey(key ?? ''), now))?.visitorId
    expect([await opens(keys[0]), await opens(keys[1]), await opens(keys[20])]).toEqual([undefined, 'v_1', 'v_1'])
    expect(await findVisitorKey(database, 'bystander', now)).toMatchObject({ visitorId: 'v_bystander' })
  })
})
