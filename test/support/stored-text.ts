import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import pg from 'pg'
import type { TestServer } from './server.ts'

/** Whether the text is anywhere in the data folder's files or, with one, in PostgreSQL's rows. */
export async function isStored({ dataDirectory, env }: TestServer, text: string): Promise<boolean> {
  const entries = readdirSync(dataDirectory, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())
  if (entries.some(({ parentPath, name }) => readFileSync(join(parentPath, name)).includes(text))) return true
  return env['DATABASE_URL'] !== undefined && isInRows(env['DATABASE_URL'], text)
}

async function isInRows(url: string, text: string): Promise<boolean> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    const { rows } = await client.query<{ name: string }>(
      `select quote_ident(table_schema) || '.' || quote_ident(table_name) as name from information_schema.tables
       where table_schema not in ('pg_catalog', 'information_schema')`,
    )
    for (const { name } of rows) {
      const { rowCount } = await client.query(`select 1 from ${name} as row where row::text like $1 limit 1`, [`%${text}%`])
      if (rowCount !== 0) return true
    }
    return false
  } finally {
    await client.end()
  }
}
