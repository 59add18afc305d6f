import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { sql } from 'kysely'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { type Database, openDatabase } from './database.ts'
import { insertVisitor } from './visitors.ts'

let directory: string
let database: Database
/** Another process would see the same: only what is committed. */
let observer: DatabaseSync
beforeEach(async () => {
  directory = mkdtempSync(join(tmpdir(), 'parley-group-commit-'))
  database = await openDatabase({ kind: 'sqlite', directory }, () => undefined)
  observer = new DatabaseSync(join(directory, 'parley.db'), { readOnly: true })
})
afterEach(async () => {
  observer.close()
  await database.destroy()
  rmSync(directory, { recursive: true })
})

const isCommitted = (id: string): boolean => observer.prepare('select 1 from visitors where id = ?').get(id) !== undefined
const visitor = (id: string) => ({ id, keyHash: `hash of ${id}` })
const insert = (id: string) => database.transaction().execute((transaction) => insertVisitor(transaction, visitor(id), 0))

test('tells no transaction of a burst that it is committed before it is', async () => {
  const ids = Array.from({ length: 50 }, (_, index) => `v${index}`)
  const seen = await Promise.all(ids.map((id) => insert(id).then(() => isCommitted(id))))
  expect(seen).toEqual(ids.map(() => true))
})

test('commits a burst together: when the first is told, others are committed too', async () => {
  const burst = [insert('a'), insert('b'), insert('c')]
  await Promise.race(burst)
  expect(['a', 'b', 'c'].map(isCommitted)).toEqual([true, true, true])
  await Promise.all(burst)
})

test('takes back only the one that fails', async () => {
  const failing = database.transaction().execute(async (transaction) => {
    await insertVisitor(transaction, visitor('half'), 0)
    throw new Error('changed its mind')
  })
  const results = await Promise.allSettled([insert('before'), failing, insert('before'), insert('after')])
  expect(results.map((result) => result.status)).toEqual(['fulfilled', 'rejected', 'rejected', 'fulfilled'])
  expect(['before', 'half', 'after'].map(isCommitted)).toEqual([true, false, true])
})

test('tells all of a group when their COMMIT fails, and goes on with the next', async () => {
  const orphan = database.transaction().execute(async (transaction) => {
    // Foreign keys are then looked at by the COMMIT, which fails.
    await sql`pragma defer_foreign_keys = on`.execute(transaction)
    const message = { id: 'm', session_id: 'none', position: 1, role: 'user' as const, parts: '[]', metadata: '{}', created_at: 0 }
    await transaction.insertInto('messages').values(message).execute()
  })
  const results = await Promise.allSettled([insert('with it'), orphan])
  expect(results.map((result) => result.status)).toEqual(['rejected', 'rejected'])
  expect(isCommitted('with it')).toBe(false)
  await insert('next')
  expect(isCommitted('next')).toBe(true)
})

test('makes a write outside of a transaction durable before it returns, in the middle of a burst too', async () => {
  const burst = [insert('a'), insertVisitor(database, visitor('alone'), 0).then(() => isCommitted('alone')), insert('b')]
  expect((await Promise.all(burst))[1]).toBe(true)
  expect(['a', 'b'].map(isCommitted)).toEqual([true, true])
})

test('keeps reads and a rolled back transaction from ending a burst early', async () => {
  const read = database.selectFrom('visitors').select('id').execute()
  const nothing = database
    .transaction()
    .execute(() => Promise.reject(new Error('nothing')))
    .catch(() => undefined)
  await Promise.all([insert('a'), read, nothing, insert('b')])
  expect(['a', 'b'].map(isCommitted)).toEqual([true, true])
})
