import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { Kysely, sql } from 'kysely'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { HeldDisk } from '../../../../test/support/stalled-disk.ts'
import type { Database } from './database.ts'
import { NodeSqliteDialect } from './sqlite.ts'

let directory: string
let disk: HeldDisk
let database: Database
/** Reads what another process would see: only committed data. */
let observer: DatabaseSync
beforeEach(async () => {
  directory = mkdtempSync(join(tmpdir(), 'parley-durable-'))
  disk = new HeldDisk()
  const file = join(directory, 'parley.db')
  database = new Kysely({ dialect: new NodeSqliteDialect(file, disk) })
  await sql`create table notes (id text primary key, of text references notes (id))`.execute(database)
  observer = new DatabaseSync(file, { readOnly: true })
})
afterEach(async () => {
  observer.close()
  await database.destroy()
  rmSync(directory, { recursive: true })
})

const isCommitted = (id: string): boolean => observer.prepare('select 1 from notes where id = ?').get(id) !== undefined
const insert = (id: string) =>
  database.transaction().execute((transaction) => sql`insert into notes (id) values (${id})`.execute(transaction))

test('resolves a transaction only after it is synced to disk', async () => {
  let isResolved = false
  const inserted = insert('a').finally(() => {
    isResolved = true
  })
  await expect.poll(() => disk.waiting.length).toBe(1)
  expect([isCommitted('a'), isResolved]).toEqual([true, false])
  disk.waiting[0]?.resolve()
  await inserted
})

test('releases the connection while a transaction waits for the disk', async () => {
  const first = insert('a')
  const second = insert('b')
  await expect.poll(() => disk.waiting.length).toBe(2)
  expect((await sql`select id from notes`.execute(database)).rows).toHaveLength(2)
  for (const waiting of disk.waiting) waiting.resolve()
  await Promise.all([first, second])
})

test('rolls back only the failed transaction, without a sync', async () => {
  const failing = database.transaction().execute(async (transaction) => {
    await sql`insert into notes (id) values ('half')`.execute(transaction)
    throw new Error('changed its mind')
  })
  await expect(failing).rejects.toThrow('changed its mind')
  expect([isCommitted('half'), disk.waiting.length]).toEqual([false, 0])
})

test('rejects a transaction whose COMMIT failed, and continues with the next', async () => {
  const orphan = database.transaction().execute(async (transaction) => {
    // Foreign keys are then checked by the COMMIT, which fails.
    await sql`pragma defer_foreign_keys = on`.execute(transaction)
    await sql`insert into notes (id, of) values ('orphan', 'nobody')`.execute(transaction)
  })
  await expect(orphan).rejects.toThrow('FOREIGN KEY')
  const next = insert('next')
  await expect.poll(() => disk.waiting.length).toBe(1)
  disk.waiting[0]?.resolve()
  await next
  expect([isCommitted('orphan'), isCommitted('next')]).toEqual([false, true])
})

test('rejects a transaction whose sync failed, while others continue', async () => {
  const refused = insert('a')
  const kept = insert('b')
  await expect.poll(() => disk.waiting.length).toBe(2)
  disk.waiting[0]?.reject(new Error('EIO'))
  disk.waiting[1]?.resolve()
  await expect(refused).rejects.toThrow('EIO')
  await kept
})

test('commits a single statement without waiting for the disk', async () => {
  await sql`insert into notes (id) values ('single')`.execute(database)
  expect([isCommitted('single'), disk.waiting.length]).toEqual([true, 0])
})
