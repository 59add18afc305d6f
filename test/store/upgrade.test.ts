import { sql } from 'kysely'
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { runUpgrade } from '../../src/server/commands/backup/run-upgrade.ts'
import { countMigrations, MIGRATIONS } from '../../src/server/store/engine/open-database.ts'
import { appliedMigrations, isNewer } from '../../src/server/store/engine/schema-version.ts'
import { insertVisitor } from '../../src/server/store/visitors/visitors.ts'
import { BOTH_DATABASES } from '../support/databases.ts'
import { openTestDatabase } from '../support/test-database.ts'

const NEXT = '9999-synthetic'

describe.each(BOTH_DATABASES)('the rehearsal of an upgrade on %s', (kind) => {
  async function open() {
    const opened = await openTestDatabase(kind)
    onTestFinished(() => opened.remove())
    await insertVisitor(opened.database, { id: 'v_kept', keyHash: 'key' }, 1)
    const rehearse = (statement: string, args = ['--rehearse']) =>
      runUpgrade(
        args,
        { settings: { database: opened.settings }, report: () => undefined },
        { ...MIGRATIONS, [NEXT]: { up: async (database) => void (await sql.raw(statement).execute(database)) } },
      )
    return { ...opened, rehearse }
  }

  test('migrates and checks a copy, and leaves the database as it was', async () => {
    const { database, rehearse } = await open()
    const temporary = mkdtempSync(join(tmpdir(), 'parley-upgrade-'))
    vi.stubEnv('TMPDIR', temporary)
    onTestFinished(() => {
      vi.unstubAllEnvs()
      rmSync(temporary, { recursive: true })
    })
    const { output, exitCode } = await rehearse('alter table visitors add column note text')
    expect(exitCode, output).toBe(0)
    expect(output).toContain(`Migrations: ${NEXT}`)
    expect(output).toContain('0 chats of 1 visitor')
    expect(output).toContain('The former release can use the migrated database')
    expect(await appliedMigrations(database)).toEqual(Object.keys(MIGRATIONS))
    await expect(sql`select note from visitors`.execute(database)).rejects.toThrow('note')
    expect(readdirSync(temporary)).toEqual([])
    const left = sql`select 1 from information_schema.schemata where schema_name = 'parley_restore'`
    expect(kind === 'postgres' ? (await left.execute(database)).rows : []).toEqual([])
  })

  test('a release counts its migrations, and leaves the database to a newer one where that allows it', async () => {
    const { database } = await open()
    const known = Object.keys(MIGRATIONS)
    expect(await countMigrations(database)).toEqual({ applied: known.length, pending: 0 })
    expect(await isNewer(database, known)).toBe(false)
    await sql`insert into kysely_migration (name, timestamp) values (${NEXT}, '2026')`.execute(database)
    const fact = (name: string, value: string) =>
      sql`insert into installation_facts (name, value) values (${name}, ${value}) on conflict (name) do update set value = excluded.value`.execute(
        database,
      )
    await fact('compatible_from', String(known.length))
    expect(await isNewer(database, known)).toBe(true)
    await fact('compatible_from', String(known.length + 1))
    await fact('release', '9.9.9')
    await expect(isNewer(database, known)).rejects.toThrow('start release 9.9.9 or a later one')
    await sql`delete from installation_facts where name = 'release'`.execute(database)
    await expect(isNewer(database, known)).rejects.toThrow('start the release that upgraded it or a later one')
  })

  test('rejects a database of a preview from before 0.1.0 in one sentence', async () => {
    const { database, rehearse } = await open()
    await sql`insert into kysely_migration (name, timestamp) values ('0002-sources', '2026')`.execute(database)
    expect(await rehearse('')).toMatchObject({
      exitCode: 1,
      output: expect.stringMatching(/^[^\n]*preview[^\n]*empty DATA_DIR[^\n]*\n$/) as string,
    })
    await expect(countMigrations(database)).rejects.toThrow('before 0.1.0')
  })

  test('says that a migration would fail or lose rows', async () => {
    const { database, rehearse } = await open()
    expect(await rehearse('alter table nowhere add column note text')).toMatchObject({
      exitCode: 1,
      output: expect.stringMatching(/^The upgrade would fail: .*nowhere/) as string,
    })
    expect((await rehearse('delete from visitors')).output).toContain('visitors has 0 rows instead of 1')
    expect(await database.selectFrom('visitors').select('id').execute()).toEqual([{ id: 'v_kept' }])
    expect((await rehearse('', [])).exitCode).toBe(2)
  })
})
