import { sql } from 'kysely'
import { describe, expect, onTestFinished, test } from 'vitest'
import { unrestricted } from '../../src/server/store/visitors/access.ts'
import type { Database } from '../../src/server/store/engine/database.ts'
import { MIGRATIONS, openDatabase } from '../../src/server/store/engine/open-database.ts'
import { BOTH_DATABASES } from '../support/databases.ts'
import { openTestDatabase } from '../support/test-database.ts'

test('migrations are numbered in order, without gaps', () => {
  const numbers = Object.keys(MIGRATIONS).map((name) => /^(\d{4})-[a-z-]+$/.exec(name)?.[1])
  expect(numbers).toEqual(numbers.map((_, index) => String(index + 1).padStart(4, '0')))
})

describe.each(BOTH_DATABASES)('the schema on %s', (kind) => {
  async function open() {
    const opened = await openTestDatabase(kind)
    onTestFinished(() => opened.remove())
    return opened
  }

  const insertSession = (database: Database, id: string) =>
    unrestricted(database)
      .insertInto('sessions')
      .values({ id, owner: 'v', agent: 'a', title: '', open_by_id: 0, temporary: 0, created_at: 1, updated_at: 1 })
      .execute()

  const insertTurn = (database: Database, id: string, status: 'running' | 'done') =>
    database
      .insertInto('turns')
      .values({ id, session_id: 's', prompt_id: 'm', status, code: null, instance: 'i', started_at: 1, ended_at: null, reservations: null })
      .execute()

  test('is created once, and reopening the database keeps its rows', async () => {
    const { database, settings } = await open()
    await insertSession(database, 's')
    const again = await openDatabase(settings, () => undefined)
    onTestFinished(() => again.destroy())
    expect(await unrestricted(again).selectFrom('sessions').select('id').execute()).toEqual([{ id: 's' }])
    const { rows } = await sql<{ name: string }>`select name from kysely_migration`.execute(again)
    expect(rows.map(({ name }) => name)).toEqual(Object.keys(MIGRATIONS))
  })

  test('allows one running turn per session', async () => {
    const { database } = await open()
    await insertSession(database, 's')
    await insertTurn(database, 'ended', 'done')
    await insertTurn(database, 'running', 'running')
    await expect(insertTurn(database, 'second', 'running')).rejects.toThrow(/unique/i)
  })

  test('deletes all rows of a session with it', async () => {
    const { database } = await open()
    await insertSession(database, 's')
    await insertTurn(database, 't', 'running')
    const message = { session_id: 's', role: 'user', turn_id: null, parts: '[]', metadata: '{}', created_at: 1 } as const
    await database
      .insertInto('messages')
      .values({ ...message, id: 'm', position: 1, parent: 0 })
      .execute()
    await database.insertInto('feedback').values({ session_id: 's', position: 1, thumb: 'up', reason: null, given_at: 1 }).execute()
    await database.insertInto('turn_events').values({ turn_id: 't', first_seq: 1, last_seq: 1, chunks: '[]' }).execute()
    const key = { scope: 'v', key_hash: 'k', request_hash: 'r', turn_id: 't', created_at: 1 }
    await database.insertInto('idempotency_keys').values(key).execute()
    await unrestricted(database).deleteFrom('sessions').execute()
    for (const table of ['messages', 'feedback', 'turns', 'turn_events', 'idempotency_keys'] as const)
      expect(await database.selectFrom(table).selectAll().execute(), table).toEqual([])
  })

  test.runIf(kind === 'sqlite')('stores short rows in the tree of their primary key', async () => {
    const { database } = await open()
    const { rows } = await sql<{ name: string }>`
      select name from pragma_table_list where wr = 1 and schema = 'main' order by name`.execute(database)
    expect(rows.map(({ name }) => name)).toEqual(['quota_counts', 'turn_events'])
  })

  test.runIf(kind === 'sqlite')("finds a turn's answer by index", async () => {
    const { database } = await open()
    const { rows } = await sql<{ detail: string }>`
      explain query plan select * from messages where session_id = ${'s'} and turn_id = ${'t'}`.execute(database)
    expect(rows.map(({ detail }) => detail)).toEqual([expect.stringContaining('USING INDEX messages_by_turn')])
  })
})
