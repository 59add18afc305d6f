import { describe, expect, onTestFinished, test } from 'vitest'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { TABLE_OWNERSHIP } from '../../src/server/store/engine/table-ownership.ts'
import type { Database } from '../../src/server/store/engine/database.ts'
import { openDatabase } from '../../src/server/store/engine/open-database.ts'
import { BOTH_DATABASES } from '../support/databases.ts'
import { createDatabase } from '../support/postgres.ts'

describe.each(BOTH_DATABASES)('what belongs to a visitor on %s', (kind) => {
  async function open(): Promise<Database> {
    if (kind === 'postgres') {
      const created = await createDatabase()
      const database = await openDatabase({ kind, url: created.url, connections: 10, timeoutMs: 20_000 }, () => undefined)
      onTestFinished(async () => {
        await database.destroy()
        await created.drop()
      })
      return database
    }
    const directory = mkdtempSync(join(tmpdir(), 'parley-belongings-'))
    const database = await openDatabase({ kind, directory }, () => undefined)
    onTestFinished(async () => {
      await database.destroy()
      rmSync(directory, { recursive: true })
    })
    return database
  }

  test('covers every table of the database, in an order in which owners can be found', async () => {
    const database = await open()
    const tables = (await database.introspection.getTables()).map((table) => table.name)
    expect(Object.keys(TABLE_OWNERSHIP).sort()).toEqual(
      tables.filter((name) => !name.startsWith('kysely_') && !name.startsWith('sqlite_')).sort(),
    )
    const names = Object.keys(TABLE_OWNERSHIP)
    const early = Object.entries(TABLE_OWNERSHIP).filter(([table, ownership]) => {
      return ownership && 'of' in ownership && names.indexOf(ownership.of) > names.indexOf(table)
    })
    expect(early).toEqual([])
  })

  test('names existing columns', async () => {
    const database = await open()
    const found = await database.introspection.getTables()
    const columnsOf = (table: string) => found.find(({ name }) => name === table)?.columns.map(({ name }) => name)
    const named = Object.entries(TABLE_OWNERSHIP).flatMap(([table, ownership]) =>
      ownership ? [[table, 'of' in ownership ? ownership.column : ownership.owner] as const] : [],
    )
    expect(named.filter(([table, column]) => !columnsOf(table)?.includes(column))).toEqual([])
  })
})
