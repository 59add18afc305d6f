import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { unrestricted } from '../../src/server/store/visitors/access.ts'
import type { Database } from '../../src/server/store/engine/database.ts'
import { findVisitorKey, insertVisitor } from '../../src/server/store/visitors/visitors.ts'
import { FirstKeys } from '../../src/server/visitors/first-keys.ts'
import { sweep } from '../../src/server/visitors/purge.ts'
import { hashOfVisitorKey, newVisitorKey } from '../../src/server/visitors/visitor-key.ts'
import { BOTH_DATABASES } from '../support/databases.ts'
import { openTestDatabase } from '../support/test-database.ts'

const MINUTE_MS = 60 * 1000
const REQUEST = { idempotencyKey: 'k'.repeat(36), network: '192.0.2.1' }

describe.each(BOTH_DATABASES)('first keys on %s', (kind) => {
  let database: Database
  let remove: () => Promise<void>
  let now = Date.UTC(2026, 10, 23)
  let firstKeys: FirstKeys
  beforeAll(async () => {
    ;({ database, remove } = await openTestDatabase(kind))
    firstKeys = new FirstKeys({ database, keys: ['i'.repeat(32)], now: () => now })
  })
  afterAll(() => remove())

  /** A new visitor with one session, and their key. */
  async function visitor(id: string): Promise<string> {
    const key = newVisitorKey()
    const session = { agent: 'assistant', title: '', open_by_id: 1, temporary: 0, created_at: now, updated_at: now }
    await database.transaction().execute(async (transaction) => {
      await insertVisitor(transaction, { id, keyHash: hashOfVisitorKey(key), sealedKey: firstKeys.seal(key, REQUEST) }, now)
      await unrestricted(transaction)
        .insertInto('sessions')
        .values({ id: `s_${id}`, owner: id, ...session })
        .execute()
    })
    return key
  }

  const stored = async (id: string) =>
    (await database.selectFrom('visitor_keys').selectAll().where('visitor_id', '=', id).executeTakeFirstOrThrow()).sealed_key

  test('can be recovered for ten minutes, in the context they were sealed in', async () => {
    const key = await visitor('v_lost')
    await visitor('v_other')
    expect(await firstKeys.recover('s_v_lost', { ...REQUEST, network: '192.0.2.2' })).toBeNull()
    expect(await firstKeys.recover('s_v_lost', { ...REQUEST, idempotencyKey: 'x'.repeat(36) })).toBeNull()
    expect(await new FirstKeys({ database, keys: ['another'], now: () => now }).recover('s_v_lost', REQUEST)).toBeNull()
    now += 10 * MINUTE_MS - 1
    expect(await firstKeys.recover('s_v_lost', REQUEST)).toBe(key)
    now += 1
    expect(await firstKeys.recover('s_v_lost', REQUEST)).toBeNull()
    await sweep(database, now)
    expect(await stored('v_lost')).toBeNull()
  })

  test('are deleted with their first use, without affecting others', async () => {
    const key = await visitor('v_used')
    const other = await visitor('v_unused')
    expect(await findVisitorKey(database, hashOfVisitorKey(key), now)).toMatchObject({ visitorId: 'v_used' })
    expect(await stored('v_used')).toBeNull()
    expect(await firstKeys.recover('s_v_used', REQUEST)).toBeNull()
    expect(await firstKeys.recover('s_v_unused', REQUEST)).toBe(other)
  })

  test('are stored encrypted', async () => {
    const key = await visitor('v_secret')
    const sealed = (await stored('v_secret')) ?? ''
    expect(sealed).not.toBe('')
    expect(Buffer.from(sealed, 'base64url').toString('latin1')).not.toContain(key)
    expect(firstKeys.seal(key, REQUEST)).not.toBe(sealed)
  })
})
