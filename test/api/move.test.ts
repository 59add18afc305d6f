import { renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { SendPromptReply } from '../../src/contract/chat/chat.ts'
import type { UploadDetails } from '../../src/contract/staff/content/knowledge.ts'
import { TABLE_OWNERSHIP } from '../../src/server/store/engine/table-ownership.ts'
import { cookieOf, listSessions, sendPrompt, spoken } from '../support/api.ts'
import { runOperatorCommand } from '../support/operator-command.ts'
import { createDatabase, runStatement, type TemporaryDatabase } from '../support/postgres.ts'
import { sampleSize } from '../support/sample-size.ts'
import { isMissing } from '../support/services.ts'
import { runSql } from '../support/run-sql.ts'
import { startServer, type TestServer } from '../support/server.ts'
import { consoleOf, StaffClient, WITH_CONSOLE } from '../support/staff-client.ts'

const CHATS = sampleSize({ long: 100_000, short: 3_000 })
/** Changes with each start and each move. */
const OF_THE_PROCESS = ['installation_facts', 'processes']
const TABLES = Object.keys(TABLE_OWNERSHIP).filter((table) => !OF_THE_PROCESS.includes(table))

/** Chats with a prompt and an answer each, in the database of a server that is stopped. */
function addChats(directory: string, owner: string): void {
  const database = new DatabaseSync(join(directory, 'parley.db'))
  const count = `with recursive n(i) as (select 1 union all select i + 1 from n where i < ${CHATS})`
  database.exec(`
    begin;
    insert into sessions (id, owner, agent, title, open_by_id, temporary, leaf, created_at, updated_at)
    ${count} select 'many-' || i, '${owner}', 'assistant', 'Chat “' || i || '”', 0, 0, 2, ${Date.now()} + i, ${Date.now()} + i from n;
    insert into messages (id, session_id, position, parent, role, parts, metadata, created_at)
    ${count} select 'm-' || i || '-' || p.p, 'many-' || i, p.p, p.p - 1, p.role,
      '[{"type":"text","text":"Grüße \\u0000 😀 ' || i || '"}]', '{}', ${Date.now()} + i
    from n, (select 1 as p, 'user' as role union all select 2, 'assistant') as p;
    commit`)
  database.close()
}

type Rows = Record<string, string[]>
const sorted = (rows: object[]) =>
  rows
    .map((row) => JSON.stringify(Object.values(row).map((value: unknown) => (Buffer.isBuffer(value) ? [...value] : String(value)))))
    .toSorted()

function rowsOfSqlite(directory: string): Rows {
  const database = new DatabaseSync(join(directory, 'parley.db'))
  const rowsOf = (table: string) =>
    database
      .prepare(`select * from ${table}`)
      .all()
      .map((row) =>
        Object.fromEntries(Object.entries(row).map(([name, value]) => [name, value instanceof Uint8Array ? Buffer.from(value) : value])),
      )
  const rows = Object.fromEntries(TABLES.map((table) => [table, sorted(rowsOf(table))]))
  database.close()
  return rows
}

async function rowsOfPostgres(url: string): Promise<Rows> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  const rows: Rows = {}
  for (const table of TABLES) rows[table] = sorted((await client.query<object>(`select * from ${table}`)).rows)
  await client.end()
  return rows
}

describe.skipIf(isMissing('postgresql'))('a move between the embedded database and PostgreSQL', () => {
  let server: TestServer
  let postgres: TemporaryDatabase
  beforeAll(async () => {
    server = await startServer({ database: 'sqlite', env: WITH_CONSOLE })
    postgres = await createDatabase()
  })
  afterAll(async () => {
    await server.stop()
    await postgres.drop()
  })

  const onPostgres = () => ({ ...server.env, DATABASE_URL: postgres.url, PORT: '0' })
  const move = (to: string, env: Record<string, string> = server.env) => runOperatorCommand(env, ['move', '--to', to])
  const remove = (url: string, session: string, cookie: string) =>
    fetch(`${url}/api/v1/sessions/${session}`, { method: 'DELETE', headers: { cookie } })
  const chat = async (url: string, cookie?: string) => {
    const response = await sendPrompt(url, 'me', 'kept', cookie === undefined ? {} : { headers: { cookie } })
    return { cookie: cookie ?? cookieOf(response), session: ((await response.json()) as SendPromptReply).session_id }
  }

  test('takes everything along, keeps deletions and keys, and leaves no second server', async () => {
    const owner = new StaffClient((await consoleOf(server)).origin)
    await owner.enter((await consoleOf(server)).link)
    expect((await owner.addPasskey()).status).toBe(200)
    const document = Buffer.from('# Zeppelins\n\nA ride costs 140 euros.\n')
    const uploaded = await owner.call<UploadDetails>('POST', 'knowledge/uploads?name=zeppelins.md&owner=Treasury', document)
    const mine = await chat(server.url)
    const erased = await chat(server.url, mine.cookie)
    await remove(server.url, erased.session, mine.cookie)

    expect(await move(postgres.url)).toMatchObject({ code: 1, output: expect.stringContaining('stop it first') as string })
    await server.kill()
    addChats(server.dataDirectory, 'somebody')
    const ledger = join(server.dataDirectory, 'erasures')
    renameSync(ledger, `${ledger}.away`)
    expect((await move(postgres.url)).output).toContain('is not the newest one')
    renameSync(`${ledger}.away`, ledger)

    await runStatement(postgres.url, 'create table of_another_program (id text)')
    expect((await move(postgres.url)).output).toContain('is not empty')
    await runStatement(postgres.url, 'drop table of_another_program')
    const { host, pathname } = new URL(postgres.url)
    const sealFor = (place: string) => runSql(server, `replace into installation_facts (name, value) values ('moved_to', '${place}')`)
    await sealFor('elsewhere')
    expect((await move(postgres.url)).output).toContain('was moved to elsewhere already')
    // As a move that was killed leaves it.
    await sealFor(`the database postgres://${host}${pathname}`)
    const moved = await move(postgres.url)
    expect(moved.output).toContain(`Moved ${CHATS + 1} chats`)
    expect(moved.code).toBe(0)
    expect(await rowsOfPostgres(postgres.url)).toEqual(rowsOfSqlite(server.dataDirectory))
    await expect(server.restart()).rejects.toThrow(/was moved to the database postgres:/)
    expect((await move(postgres.url)).output).toContain('is not empty')

    const there = await startServer({ database: 'sqlite', env: onPostgres() })
    const again = Object.assign(new StaffClient((await consoleOf(there)).origin), { authenticator: owner.authenticator })
    expect((await again.signIn()).status).toBe(200)
    expect((await again.call('GET', `knowledge/uploads/${uploaded.body.id}`)).body).toMatchObject({ text: document.toString() })
    expect(await runOperatorCommand(there.env, ['staff', 'audit', '--verify'])).toMatchObject({ code: 0 })
    const later = await chat(there.url, mine.cookie)
    await remove(there.url, mine.session, mine.cookie)
    const left = await listSessions(there.url, 'me', { cookie: mine.cookie })
    expect(left.map((session) => spoken(session)[0])).toEqual([['human', 'kept']])
    await there.kill()

    expect((await move('sqlite', there.env)).output).toContain('is not empty')
    for (const suffix of ['', '-wal', '-shm']) rmSync(join(server.dataDirectory, `parley.db${suffix}`), { force: true })
    expect(await move('sqlite', there.env)).toMatchObject({ code: 0 })
    expect(rowsOfSqlite(server.dataDirectory)).toEqual(await rowsOfPostgres(postgres.url))
    await expect(there.restart()).rejects.toThrow(/was moved to the database in/)
    await server.restart()
    const [kept, ...others] = await listSessions(server.url, 'me', { cookie: mine.cookie })
    expect([kept?.key, others]).toEqual([later.session, []])
    expect(await runOperatorCommand(server.env, ['staff', 'audit', '--verify'])).toMatchObject({ code: 0 })
    await there.stop()
  })
})
