import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Database } from '../../src/server/store/engine/database.ts'
import { type DatabaseSettings, openDatabase } from '../../src/server/store/engine/open-database.ts'
import { attachFiles, findFile, insertPendingFile } from '../../src/server/store/sessions/files.ts'
import { findSession, listSessions } from '../../src/server/store/sessions/sessions.ts'
import { endTurn } from '../../src/server/store/turns/turn-ends.ts'
import { findTurn, insertPrompt } from '../../src/server/store/turns/turns.ts'
import { purgeVisitors } from '../../src/server/store/sessions/retention.ts'
import { findVisitorKey, insertVisitor, insertVisitorKey } from '../../src/server/store/visitors/visitors.ts'
import { purge, sweep } from '../../src/server/visitors/purge.ts'
import { BOTH_DATABASES } from '../support/databases.ts'
import { createMigratedDatabase } from '../support/postgres.ts'

const MINUTE_MS = 60 * 1000
const DAY_MS = 24 * 60 * MINUTE_MS
const NOW = Date.UTC(2026, 10, 21)

describe.each(BOTH_DATABASES)('retention on %s', (kind) => {
  let directory: string
  let settings: DatabaseSettings
  let database: Database
  /** Id of another process in the database. */
  let other: Database
  let dropDatabase: (() => Promise<void>) | undefined
  beforeAll(async () => {
    directory = mkdtempSync(join(tmpdir(), 'parley-retention-'))
    if (kind === 'postgres') {
      const created = await createMigratedDatabase()
      dropDatabase = () => created.drop()
      settings = { kind, url: created.url, connections: 10, timeoutMs: 20_000 }
    } else settings = { kind, directory }
    database = await openDatabase(settings, () => undefined)
    other = await openDatabase(settings, () => undefined)
  })
  afterAll(async () => {
    await Promise.all([database.destroy(), other.destroy()])
    await dropDatabase?.()
    rmSync(directory, { recursive: true })
  })

  const access = (name: string, now = NOW) => ({ owner: `v_${name}`, credential: true, now, retentionMs: 30 * DAY_MS })

  interface Sent {
    temporary?: boolean
    keyExpiresAt?: number
    text?: string
    continues?: { id: string; now: number }
  }

  /** A visitor's prompt, sent at `now` and not yet answered. */
  async function send(name: string, now: number, { temporary = false, keyExpiresAt, text = 'hi', continues }: Sent = {}) {
    const suffix = continues ? '_2' : ''
    return insertPrompt(database, {
      id: `t_${name}${suffix}`,
      instance: 'here',
      now,
      claim: null,
      reservationsFor: () => [],
      count: async () => undefined,
      message: { id: `m_${name}${suffix}`, role: 'user', parts: [{ type: 'text', text }] },
      continues: continues ? { id: continues.id, access: access(name, continues.now) } : null,
      newSession: { id: `s_${name}${suffix}`, owner: `v_${name}`, agent: 'assistant', title: name, openById: false, temporary },
      newVisitor: continues ? null : { id: `v_${name}`, keyHash: name, ...(keyExpiresAt !== undefined && { keyExpiresAt }) },
    })
  }

  test('deletes files that no prompt has used for an hour, and keeps those of chats', async () => {
    await send('files', NOW)
    const content = Buffer.from('text')
    const room = { maxPending: 9, maxOwnBytes: 99 }
    const put = (id: string, now: number) =>
      insertPendingFile(
        database,
        { id, owner: 'v_files', name: id, mediaType: 'text/plain', bytes: 4, text: 'text', content, now, newVisitor: null },
        room,
      )
    expect([await put('f_old', NOW), await put('f_new', NOW + MINUTE_MS), await put('f_sent', NOW)]).toEqual([true, true, true])
    expect(await attachFiles(database, 'v_files', 's_files', ['f_sent'])).toBe(true)
    await purge(database, 30 * DAY_MS, NOW + 61 * MINUTE_MS - 1)
    const found = await Promise.all(['f_old', 'f_new', 'f_sent'].map((id) => findFile(database, access('files'), id)))
    expect(found.map((file) => file?.id)).toEqual([undefined, 'f_new', 'f_sent'])
  })

  const end = (name: string, now: number) =>
    endTurn(
      database,
      `t_${name}`,
      {
        status: 'done',
        code: null,
        state: 'answered',
        usage: null,
        answer: { id: `a_${name}`, role: 'assistant', parts: [], metadata: { turnId: `t_${name}` } },
      },
      now,
    )

  test('a chat is available until its reported expiry', async () => {
    await send('last', NOW)
    await end('last', NOW)
    const moment = NOW + 30 * DAY_MS
    expect(await findSession(database, access('last', moment), 's_last')).toMatchObject({ expiresAt: new Date(moment).toISOString() })
    expect(await listSessions(database, access('last', moment))).toHaveLength(1)
  })

  test('an expired chat is unavailable before it is purged: not shown, not followed, not continued', async () => {
    await send('expired', NOW)
    await end('expired', NOW)
    const later = NOW + 30 * DAY_MS + 1
    expect(await findSession(database, access('expired', later), 's_expired')).toBeUndefined()
    expect(await listSessions(database, access('expired', later))).toEqual([])
    expect(await findTurn(database, access('expired', later), 't_expired')).toBeUndefined()
    const byId = { ...access('expired', later), owner: null, credential: false }
    expect(await findSession(database, byId, 's_expired')).toBeUndefined()
    expect(await send('expired', later, { continues: { id: 's_expired', now: later } })).toMatchObject({ isNewSession: true })
  })

  test('several processes purge concurrently, each chat once', async () => {
    const count = 130
    for (let index = 0; index < count; index += 1) {
      await send(`many-${index}`, NOW - 40 * DAY_MS)
      await end(`many-${index}`, NOW - 40 * DAY_MS)
    }
    const purged = await Promise.all([database, other, database, other].map((process) => purge(process, 30 * DAY_MS, NOW)))
    expect(purged.reduce((sum, value) => sum + value)).toBe(count)
    expect(await findVisitorKey(database, 'many-0', NOW)).toBeUndefined()
  })

  test('a temporary chat is deleted within a minute after its answer, not before', async () => {
    await send('temporary', NOW - 10 * MINUTE_MS, { temporary: true })
    await send('lasting', NOW - 10 * MINUTE_MS)
    await sweep(database, NOW)
    expect(await findSession(database, access('temporary'), 's_temporary')).toBeDefined()
    await end('temporary', NOW)
    await sweep(database, NOW + 30_000)
    expect(await findSession(database, access('temporary'), 's_temporary')).toBeDefined()
    await sweep(database, NOW + 50_000)
    expect(await findSession(database, access('temporary'), 's_temporary')).toBeUndefined()
    expect(await findSession(database, access('lasting'), 's_lasting')).toBeDefined()
  })

  test('chats that only an expired key opened are deleted with it; chats of another device stay', async () => {
    await send('alone', NOW, { keyExpiresAt: NOW + MINUTE_MS })
    await send('moved', NOW, { keyExpiresAt: NOW + MINUTE_MS })
    await insertVisitorKey(database, { visitorId: 'v_moved', keyHash: 'phone', expiresAt: null }, NOW)
    expect(await findVisitorKey(database, 'alone', NOW + MINUTE_MS - 1)).toBeDefined()
    expect(await findVisitorKey(database, 'alone', NOW + MINUTE_MS)).toBeUndefined()
    // SQLite blocks while it waits for a lock: with two connections in one process, one would block the other for ever.
    const second = kind === 'sqlite' ? database : other
    await Promise.all([sweep(database, NOW + MINUTE_MS), sweep(second, NOW + MINUTE_MS)])
    expect(await findSession(database, access('alone'), 's_alone')).toBeUndefined()
    expect(await findSession(database, access('moved'), 's_moved')).toBeDefined()
    expect(await findVisitorKey(database, 'phone', NOW + MINUTE_MS)).toMatchObject({ visitorId: 'v_moved' })
    expect(await findVisitorKey(database, 'moved', NOW)).toBeUndefined()
  })

  test.runIf(kind === 'sqlite')('purged data is not in the database files either', async () => {
    const isInFiles = () => readdirSync(directory).some((name) => readFileSync(join(directory, name)).includes('cAnAry-purged'))
    await send('purged', NOW - 31 * DAY_MS, { text: 'cAnAry-purged' })
    await end('purged', NOW - 31 * DAY_MS)
    expect(isInFiles()).toBe(true)
    await purge(database, 30 * DAY_MS, NOW)
    expect(isInFiles()).toBe(false)
  })

  test('visitors are checked in batches, even if all of them stay', async () => {
    await database.deleteFrom('visitors').execute()
    for (const name of ['a', 'c', 'd', 'e'])
      await insertVisitor(database, { id: `v_${name}`, keyHash: `key ${name}` }, name === 'd' ? NOW : NOW - 40 * DAY_MS)
    await send('b', NOW - 40 * DAY_MS)
    const steps: Awaited<ReturnType<typeof purgeVisitors>>[] = []
    for (let after: string | undefined = ''; after !== undefined; after = steps.at(-1)?.last)
      steps.push(await purgeVisitors(database, NOW - 30 * DAY_MS, after, 2))
    expect(steps).toEqual([
      { deleted: 1, last: 'v_b' },
      { deleted: 1, last: 'v_d' },
      { deleted: 1, last: undefined },
    ])
    const left = await database.selectFrom('visitors').select('id').orderBy('id').execute()
    expect(left.map(({ id }) => id)).toEqual(['v_b', 'v_d'])
  })
})
