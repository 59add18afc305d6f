import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import pg from 'pg'
import type { TestServer } from '../../support/server.ts'

/** Blocks writes of messages; returns a function that releases the lock. */
export async function lockWrites({ env, dataDirectory }: Pick<TestServer, 'env' | 'dataDirectory'>): Promise<() => Promise<void>> {
  const url = env['DATABASE_URL']
  return url ? lockPostgres(url) : lockSqlite(join(dataDirectory, 'parley.db'))
}

async function lockPostgres(url: string): Promise<() => Promise<void>> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  await client.query('BEGIN')
  await client.query('LOCK TABLE messages IN SHARE ROW EXCLUSIVE MODE')
  return async () => {
    await client.query('ROLLBACK')
    await client.end()
  }
}

async function lockSqlite(file: string): Promise<() => Promise<void>> {
  const database = new DatabaseSync(file, { timeout: 5_000 })
  database.exec('BEGIN IMMEDIATE')
  return async () => {
    database.exec('ROLLBACK')
    database.close()
  }
}
