import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import pg from 'pg'
import type { TestServer } from './server.ts'

/** Whether the text is anywhere in the data folder's files or, with one, in PostgreSQL's rows. */
export async function isStored({ dataDirectory, env }: TestServer, text: string): Promise<boolean> {
  const entries = readdirSync(dataDirectory, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())
  if (entries.some(({ parentPath, name }) => readFileSync(join(parentPath, name)).includes(text))) return true
  return env['DATABASE_URL'] !== undefined && (await postgresTablesWith(env['DATABASE_URL'], text)).length > 0
}

/** The tables of which a row contains the text. */
export async function tablesWith({ dataDirectory, env }: TestServer, text: string): Promise<string[]> {
  const url = env['DATABASE_URL']
  return url === undefined ? sqliteTablesWith(join(dataDirectory, 'parley.db'), text) : postgresTablesWith(url, text)
}

function sqliteTablesWith(path: string, text: string): string[] {
  const database = new DatabaseSync(path, { readOnly: true, timeout: 30_000 })
  const tables = database
    .prepare(`select name from sqlite_schema where type = 'table'`)
    .all()
    .map(({ name }) => String(name))
  const found = tables.filter((table) =>
    database
      .prepare(`select * from "${table}"`)
      .all()
      .some((row) => Object.values(row).some((value) => String(value).includes(text))),
  )
  database.close()
  return found
}

async function postgresTablesWith(url: string, text: string): Promise<string[]> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    const { rows } = await client.query<{ name: string; table: string }>(
      `select quote_ident(table_schema) || '.' || quote_ident(table_name) as name, table_name as table from information_schema.tables
       where table_schema not in ('pg_catalog', 'information_schema')`,
    )
    const found: string[] = []
    for (const { name, table } of rows) {
      const { rowCount } = await client.query(`select 1 from ${name} as row where row::text like $1 limit 1`, [`%${text}%`])
      if (rowCount !== 0) found.push(table)
    }
    return found
  } finally {
    await client.end()
  }
}
