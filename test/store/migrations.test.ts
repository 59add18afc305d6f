import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Kysely, PostgresDialect, sql } from 'kysely'
import { type Migration, Migrator } from 'kysely/migration'
import pg from 'pg'
import { describe, expect, onTestFinished, test } from 'vitest'
import { type DatabaseSettings, MIGRATIONS, openDatabase } from '../../src/server/store/database.ts'
import { conversations } from '../../src/server/store/migrations/2026-11-21-conversations.ts'
import { listMessages } from '../../src/server/store/sessions.ts'
import { NodeSqliteDialect } from '../../src/server/store/sqlite.ts'
import { findVisitorKey } from '../../src/server/store/visitors.ts'
import { DATABASES } from '../support/databases.ts'
import { createDatabase } from '../support/postgres.ts'

describe.each(DATABASES)('a migration on %s', (kind) => {
  async function place(): Promise<DatabaseSettings> {
    if (kind === 'postgres') {
      const created = await createDatabase()
      onTestFinished(() => created.drop())
      return { kind, url: created.url }
    }
    const directory = mkdtempSync(join(tmpdir(), 'parley-migrations-'))
    onTestFinished(() => rmSync(directory, { recursive: true }))
    return { kind, directory }
  }

  /** The database of an earlier release, as that release left it. */
  function withFirstSchema(settings: DatabaseSettings, fill: (database: Kysely<unknown>) => Promise<unknown>): Promise<void> {
    return withSchema(settings, { '2026-11-21-conversations': conversations }, fill)
  }

  async function withSchema(
    settings: DatabaseSettings,
    migrations: Record<string, Migration>,
    fill: (database: Kysely<unknown>) => Promise<unknown>,
  ): Promise<void> {
    const dialect =
      settings.kind === 'postgres'
        ? new PostgresDialect({ pool: new pg.Pool({ connectionString: settings.url }) })
        : new NodeSqliteDialect(join(settings.directory, 'parley.db'))
    const database = new Kysely<unknown>({ dialect })
    const provider = { getMigrations: async () => migrations }
    const { error } = await new Migrator({ db: database, provider }).migrateToLatest()
    expect(error).toBeUndefined()
    await fill(database)
    await database.destroy()
  }

  test('keeps visitors with the keys that they had', async () => {
    const settings = await place()
    await withFirstSchema(settings, (database) =>
      sql`insert into visitors (id, key_hash, created_at) values ('v_1', 'hash 1', 1), ('v_2', 'hash 2', 2)`.execute(database),
    )
    const database = await openDatabase(settings, () => undefined)
    onTestFinished(() => database.destroy())
    expect(await findVisitorKey(database, 'hash 1', 9)).toEqual({ visitorId: 'v_1', keyHash: 'hash 1', expiresAt: null })
    expect(await findVisitorKey(database, 'hash 2', 9)).toEqual({ visitorId: 'v_2', keyHash: 'hash 2', expiresAt: null })
    expect(await database.selectFrom('visitors').select(['id', 'created_at']).orderBy('id').execute()).toEqual([
      { id: 'v_1', created_at: 1 },
      { id: 'v_2', created_at: 2 },
    ])
  })

  test('keeps counts, and the words of running answers', async () => {
    const settings = await place()
    const before = Object.fromEntries(Object.entries(MIGRATIONS).filter(([name]) => name < '2026-11-22-fewer-pages'))
    await withSchema(settings, before, async (database) => {
      await sql`insert into quota_counts values ('a', 2, 9), ('b', 3, 9)`.execute(database)
      await sql`insert into sessions (id, owner, agent, title, open_by_id, created_at, updated_at)
        values ('s', 'v', 'a', '', 0, 1, 1)`.execute(database)
      await sql`insert into turns (id, session_id, prompt_id, status, instance, started_at, heartbeat_at)
        values ('t', 's', 'm', 'running', 'i', 1, 1)`.execute(database)
      await sql`insert into turn_events values ('t', 1, 2, '[]')`.execute(database)
    })
    const database = await openDatabase(settings, () => undefined)
    onTestFinished(() => database.destroy())
    expect(await database.selectFrom('quota_counts').selectAll().orderBy('key').execute()).toEqual([
      { key: 'a', count: 2, ends_at: 9 },
      { key: 'b', count: 3, ends_at: 9 },
    ])
    expect(await database.selectFrom('turn_events').selectAll().execute()).toEqual([
      { turn_id: 't', first_seq: 1, last_seq: 2, chunks: '[]' },
    ])
    await database.deleteFrom('sessions').execute()
    expect(await database.selectFrom('turn_events').selectAll().execute()).toEqual([])
  })

  test('has each message follow the one before it', async () => {
    const settings = await place()
    await withFirstSchema(settings, async (database) => {
      for (const id of ['s_1', 's_2', 's_empty'])
        await sql`insert into sessions values (${id}, 'v_1', 'assistant', '', 0, 1, 1)`.execute(database)
      for (const [session, position] of [
        ['s_1', 1],
        ['s_1', 2],
        ['s_1', 4],
        ['s_2', 1],
      ])
        await sql`insert into messages values (${`m_${position}`}, ${session}, ${position}, 'user', '[]', '{}', 1)`.execute(database)
    })
    const database = await openDatabase(settings, () => undefined)
    onTestFinished(() => database.destroy())
    const shown = async (session: string) => (await listMessages(database, session)).map(({ id }) => id)
    expect(await shown('s_1')).toEqual(['m_1', 'm_2', 'm_4'])
    expect(await shown('s_2')).toEqual(['m_1'])
    expect(await shown('s_empty')).toEqual([])
  })
})
