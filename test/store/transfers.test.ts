import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { rejection } from '../../src/contract/rejection.ts'
import { unrestricted } from '../../src/server/store/access.ts'
import type { Database } from '../../src/server/store/database.ts'
import { findVisitorKey, insertVisitor, type VisitorKey } from '../../src/server/store/visitors.ts'
import { type TransferResult, Transfers } from '../../src/server/visitors/transfer/transfers.ts'
import { hashOfVisitorKey } from '../../src/server/visitors/visitor-key.ts'
import { sweep } from '../../src/server/visitors/purge.ts'
import { BOTH_DATABASES } from '../support/databases.ts'
import { openTestDatabase } from '../support/test-database.ts'

const MINUTE_MS = 60 * 1000
const WRONG = 'able-able-able-able-able-able'
const isWrongCode = (outcome: TransferResult) => outcome.kind === 'rejected' && outcome.code === 'transfer_code_unknown'

describe.each(BOTH_DATABASES)('transfer codes on %s', (kind) => {
  let database: Database
  let remove: () => Promise<void>
  let now = Date.UTC(2026, 10, 21)
  const paused: number[] = []
  let transfers: Transfers
  beforeAll(async () => {
    ;({ database, remove } = await openTestDatabase(kind))
    transfers = new Transfers({ database, installationKey: 'k'.repeat(32), now: () => now, pause: async (ms) => paused.push(ms) })
    await database.transaction().execute((transaction) => insertVisitor(transaction, { id: 'v_1', keyHash: 'first' }, now))
  })
  afterAll(() => remove())
  // Each test runs more than an hour after the one before, so that earlier wrong codes no longer count.
  beforeEach(() => {
    now += 100 * MINUTE_MS
  })

  const use = (code: string, own: string | null = null, wide: string | null = null, from: VisitorKey | null = null) =>
    transfers.use({ code, network: own === null ? null : { own, wide }, from, replace: false, device: undefined })

  test('work for ten minutes', async () => {
    const early = await transfers.begin('v_1')
    now += 10 * MINUTE_MS - 1
    expect(await use(early.code)).toMatchObject({ kind: 'moved', visitorId: 'v_1' })
    const late = await transfers.begin('v_1')
    now += 10 * MINUTE_MS
    expect(await use(late.code)).toEqual(rejection('transfer_code_unknown'))
  })

  test('allow five attempts per network and hour, even concurrently', async () => {
    const outcomes = await Promise.all(Array.from({ length: 20 }, () => use(WRONG, '192.0.2.1')))
    expect(outcomes.filter(isWrongCode).length).toBeLessThanOrEqual(5)
    for (let count = 0; count < 5; count += 1) await use(WRONG, '192.0.2.1')
    expect(await use(WRONG, '192.0.2.1')).toEqual(rejection('too_many_attempts', { retryAfterS: 3600 }))
    expect(await use(WRONG, '192.0.2.2')).toEqual(rejection('transfer_code_unknown'))
    now += 60 * MINUTE_MS
    expect(await use(WRONG, '192.0.2.1')).toEqual(rejection('transfer_code_unknown'))
  })

  test('attempts that were rejected don’t prolong the wait', async () => {
    for (let count = 0; count < 5; count += 1) await use(WRONG, '192.0.2.3')
    now += 30 * MINUTE_MS
    for (let count = 0; count < 6; count += 1)
      expect(await use(WRONG, '192.0.2.3')).toEqual(rejection('too_many_attempts', { retryAfterS: 3600 }))
    now += 30 * MINUTE_MS
    expect(await use(WRONG, '192.0.2.3')).toEqual(rejection('transfer_code_unknown'))
  })

  test('allow twenty attempts per /48 and hour, whichever /64 they come from, and still work from elsewhere', async () => {
    const outcomes: TransferResult[] = []
    for (let count = 0; count < 30; count += 1) outcomes.push(await use(WRONG, `2001:db8:1:${count}::/64`, '2001:db8:1::/48'))
    expect(outcomes.filter(isWrongCode)).toHaveLength(20)
    const { code } = await transfers.begin('v_1')
    expect(await use(code, '2001:db8:1:ffff::/64', '2001:db8:1::/48')).toEqual(rejection('too_many_attempts', { retryAfterS: 3600 }))
    expect(await use(code, '2001:db8:2:1::/64', '2001:db8:2::/48')).toMatchObject({ kind: 'moved' })
  })

  test('allow five attempts per visitor and hour, from any network', async () => {
    const from = { visitorId: 'v_guesser', keyHash: 'guesser', expiresAt: null }
    const outcomes: TransferResult[] = []
    for (let count = 0; count < 8; count += 1) outcomes.push(await use(WRONG, `198.51.100.${count}`, null, from))
    expect(outcomes.filter(isWrongCode)).toHaveLength(5)
  })

  test('are delayed, never rejected, for others after a thousand wrong codes from many networks', async () => {
    const rows = Array.from({ length: 1000 }, (_, index) => ({ id: `try ${index}`, network: 'all', tried_at: now }))
    await database.insertInto('transfer_tries').values(rows).execute()
    const { code } = await transfers.begin('v_1')
    paused.length = 0
    expect(await use(code, '192.0.2.9')).toMatchObject({ kind: 'moved' })
    expect(paused).toEqual([2_000])
    now += 61 * MINUTE_MS
    expect(await use(WRONG, '192.0.2.10')).toEqual(rejection('transfer_code_unknown'))
    expect(paused).toHaveLength(1)
  })

  test('are deleted with their attempts when they expire', async () => {
    await transfers.begin('v_1')
    await use(WRONG, '192.0.2.9')
    now += 61 * MINUTE_MS
    await sweep(database, now)
    expect(await database.selectFrom('transfer_tries').select('id').execute()).toEqual([])
    expect(await database.selectFrom('transfers').select('visitor_id').execute()).toEqual([])
  })

  test('read the chats, keys and sign-ins of the visitors concerned only', async () => {
    const session = { agent: 'assistant', title: '', open_by_id: 0, temporary: 0, created_at: now, updated_at: now }
    await database.transaction().execute(async (transaction) => {
      await insertVisitor(transaction, { id: 'v_leaves', keyHash: 'leaves' }, now)
      await insertVisitor(transaction, { id: 'v_other', keyHash: 'other' }, 0)
      await transaction.insertInto('identities').values({ hash: 'i', visitor_id: 'v_other', name: null, created_at: now }).execute()
      await unrestricted(transaction)
        .insertInto('sessions')
        .values({ id: 's_other', owner: 'v_other', ...session })
        .execute()
    })
    const { code } = await transfers.begin('v_1')
    const from = { visitorId: 'v_leaves', keyHash: 'leaves', expiresAt: null }
    const moved = await transfers.use({ code, network: null, from, replace: false, device: undefined })
    expect(moved).toMatchObject({ kind: 'moved', visitorId: 'v_1', abandoned: 'v_leaves' })
    expect(await findVisitorKey(database, 'other', now)).toMatchObject({ visitorId: 'v_other' })
  })

  test('store only hashes of the code and the network', async () => {
    const { code } = await transfers.begin('v_1')
    await use(WRONG, '192.0.2.77')
    const codes = JSON.stringify(await database.selectFrom('transfers').selectAll().execute())
    const attempts = JSON.stringify(await database.selectFrom('transfer_tries').selectAll().execute())
    for (const word of code.split('-')) expect(codes).not.toContain(`"${word}"`)
    // Attempts are counted by networks and for `all`, which may also be a word of the code.
    for (const secret of [code, '192.0.2.77']) expect(codes + attempts).not.toContain(secret)
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
