import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { runStatement } from './postgres.ts'
import type { TestServer } from './server.ts'

/** Changes the database of a server that runs. */
export async function runSql({ env, dataDirectory }: TestServer, statement: string): Promise<void> {
  const url = env['DATABASE_URL']
  if (url) return runStatement(url, statement)
  const database = new DatabaseSync(join(dataDirectory, 'parley.db'), { timeout: 30_000 })
  database.exec(statement)
  database.close()
}
