import { DatabaseSync, type StatementSync } from 'node:sqlite'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type Access, unrestricted } from '../../src/server/store/visitors/access.ts'
import type { Database } from '../../src/server/store/engine/database.ts'
import { expireSession } from '../../src/server/store/sessions/erasure.ts'
import { deleteDependentRows } from '../../src/server/store/sessions/session-batches.ts'
import { findSession } from '../../src/server/store/sessions/sessions.ts'
import { insertVisitor } from '../../src/server/store/visitors/visitors.ts'
import { Eraser } from '../../src/server/visitors/eraser.ts'
import { purge, sweep } from '../../src/server/visitors/purge.ts'
import { MAX_ROWS } from '../../src/server/visitors/run-batches.ts'
import { BOTH_DATABASES } from '../support/databases.ts'
import { openTestDatabase } from '../support/test-database.ts'

const DAY_MS = 24 * 60 * 60 * 1000
const NOW = Date.UTC(2026, 10, 21)
const LONG = 3_000
/** Rows that one transaction may change: its own, and for each of them about one that depends on it. */
const MAX_CHANGES = 2 * MAX_ROWS

interface Commit {
  rows: number
  /** How often the event loop had gone round. */
  turn: number
}

describe.each(BOTH_DATABASES)('deleting in batches on %s', (kind) => {
  let database: Database
  let remove: () => Promise<void>
  const commits: Commit[] = []
  let stopRecording: () => void
  beforeAll(async () => {
    // PostgreSQL has no single writer, so its commits aren't looked at; counting turns of the event loop keeps a processor busy.
    stopRecording = kind === 'sqlite' ? recordCommits(commits) : () => undefined
    ;({ database, remove } = await openTestDatabase(kind))
  })
  afterAll(async () => {
    stopRecording()
    await remove()
  })
  beforeEach(() => {
    commits.length = 0
  })

  const messages = async () => (await database.selectFrom('messages').select('session_id').execute()).length
  const sessions = async () =>
    (await unrestricted(database).selectFrom('sessions').select('id').orderBy('id').execute()).map(({ id }) => id)

  /** A chat of `count` messages, every second one with a turn, last active at `at`. */
  async function storeChat(id: string, owner: string, count: number, at: number): Promise<void> {
    await unrestricted(database)
      .insertInto('sessions')
      .values({ id, owner, agent: 'assistant', title: id, open_by_id: 0, temporary: 0, leaf: count, created_at: at, updated_at: at })
      .execute()
    const numbers = sql`with recursive number (n) as (select 1 union all select n + 1 from number where n < ${sql.lit(count)})`
    const columns = sql`(id, session_id, position, parent, role, turn_id, parts, metadata, created_at)`
    await sql`${numbers} insert into messages ${columns} select ${`${id}-`} || n, ${sql.lit(id)}, n, n - 1, 'user', null, '[]', '{}', 1 from number`.execute(
      database,
    )
    const ended = sql`(id, session_id, prompt_id, status, state, instance, started_at, ended_at)`
    await sql`${numbers} insert into turns ${ended} select ${`t_${id}-`} || n, ${sql.lit(id)}, ${`${id}-`} || n, 'done', 'answered', 'test', 1, 1 from number where n % 2 = 0`.execute(
      database,
    )
  }

  const eraser = () =>
    new Eraser({
      database,
      storage: kind,
      installation: 'test',
      modelProvider: null,
      checkedBy: null,
      receipts: { sign: async () => '' } as never,
      ledger: { record: async () => undefined, markApplied: async () => undefined },
      stopTurn: async () => undefined,
      now: () => NOW,
    })
  const accessOf = (owner: string): Access => ({ owner, credential: true, now: NOW, retentionMs: 30 * DAY_MS })

  /** Only the embedded database has one writer at a time, for whom all others wait. */
  function expectSmallCommits(): void {
    if (kind === 'postgres') return
    const deletions = commits.filter(({ rows }) => rows > 1)
    expect(deletions.length).toBeGreaterThan(5)
    for (const { rows } of deletions) expect(rows).toBeLessThanOrEqual(MAX_CHANGES)
    // Each in a turn of the event loop of its own, but for pauses that end while the process is not scheduled: Node then runs their
    // timers in one turn.
    expect(new Set(deletions.map(({ turn }) => turn)).size).toBeGreaterThan(deletions.length * 0.8)
  }

  test('the purge deletes a long chat and many short ones in small transactions, between which others get their turn', async () => {
    await storeChat('long', 'v_purged', LONG, NOW - 40 * DAY_MS)
    for (let index = 0; index < 100; index += 1) await storeChat(`short-${index}`, 'v_purged', 2, NOW - 35 * DAY_MS)
    await storeChat('kept', 'v_purged', 2, NOW)
    commits.length = 0
    expect(await purge(database, 30 * DAY_MS, NOW)).toBe(101)
    expectSmallCommits()
    expect([await sessions(), await messages()]).toEqual([['kept'], 2])
    await eraser().sessions(accessOf('v_purged'))
  })

  test('deleting a visitor’s chats counts what it deletes, in small transactions too', async () => {
    await storeChat('erased-long', 'v_erased', LONG, NOW)
    for (let index = 0; index < 50; index += 1) await storeChat(`erased-${index}`, 'v_erased', 2, NOW)
    await storeChat('others', 'v_other', 2, NOW)
    commits.length = 0
    const { receipt } = await eraser().sessions(accessOf('v_erased'))
    expect(receipt.deleted).toMatchObject({ chats: 51, messages: LONG + 100, answers: LONG / 2 + 50 })
    expectSmallCommits()
    expect([await sessions(), await messages()]).toEqual([['others'], 2])
    await eraser().sessions(accessOf('v_other'))
  })

  test('a long chat whose deletion was interrupted can’t be opened under any retention, and the next sweep deletes the rest', async () => {
    await storeChat('interrupted', 'v_left', LONG, NOW)
    const forever = { ...accessOf('v_left'), retentionMs: 3650 * DAY_MS }
    expect(await findSession(database, forever, 'interrupted')).toBeDefined()
    await expireSession(database, 'interrupted')
    expect(await deleteDependentRows(database, 'interrupted', 100)).toBe(100)
    expect(await findSession(database, forever, 'interrupted')).toBeUndefined()
    await sweep(database, NOW)
    expect([await sessions(), await messages()]).toEqual([[], 0])
  })

  test('a shared computer’s chats are deleted in small transactions when its key has expired', async () => {
    await database
      .transaction()
      .execute((transaction) => insertVisitor(transaction, { id: 'v_shared', keyHash: 'shared', keyExpiresAt: NOW - 1 }, 1))
    await storeChat('shared-long', 'v_shared', LONG, NOW - 2)
    for (let index = 0; index < 100; index += 1) await storeChat(`shared-${index}`, 'v_shared', 2, NOW - 2)
    commits.length = 0
    await sweep(database, NOW)
    expectSmallCommits()
    expect([await sessions(), await messages()]).toEqual([[], 0])
    expect(await database.selectFrom('visitors').select('id').where('id', '=', 'v_shared').execute()).toEqual([])
  })
})

/** Records how many rows each commit on an embedded database changes, cascades included. */
function recordCommits(commits: Commit[]): () => void {
  let turn = 0
  let immediate = setImmediate(function next() {
    turn += 1
    immediate = setImmediate(next)
  })
  const original = DatabaseSync.prototype.prepare
  DatabaseSync.prototype.prepare = function prepare(text: string): StatementSync {
    const statement = original.call(this, text)
    const changes = original.call(this, 'select total_changes() as rows')
    const total = () => Number(changes.get()?.['rows'])
    for (const method of ['run', 'all'] as const) {
      const execute = statement[method].bind(statement) as unknown as (...parameters: unknown[]) => never
      statement[method] = (...parameters: unknown[]) => {
        const before = counted.get(this) ?? 0
        const result = execute(...parameters)
        if (!this.isTransaction && total() > before) {
          commits.push({ rows: total() - before, turn })
          counted.set(this, total())
        }
        return result
      }
    }
    return statement
  }
  const counted = new WeakMap<DatabaseSync, number>()
  return () => {
    clearImmediate(immediate)
    DatabaseSync.prototype.prepare = original
  }
}
