import { randomBytes } from 'node:crypto'
import pg from 'pg'

export interface TemporaryDatabase {
  url: string
  /** Drops the database and cuts open connections. */
  drop(): Promise<void>
}

/**
 * Creates an empty database of its own on the run's PostgreSQL: `TEST_DATABASE_URL`, which the global set-up fills in when
 * nobody named a server; or on another one. Takes some 50 ms.
 */
export async function createDatabase(server = process.env['TEST_DATABASE_URL']): Promise<TemporaryDatabase> {
  if (!server) throw new Error('No PostgreSQL: TEST_DATABASE_URL is not set, and the global set-up did not start one.')
  const name = `parley_test_${randomBytes(8).toString('hex')}`
  await runStatement(server, `CREATE DATABASE ${name}`)
  const url = new URL(server)
  url.pathname = `/${name}`
  return { url: url.href, drop: () => runStatement(server, `DROP DATABASE IF EXISTS ${name} WITH (FORCE)`) }
}

export async function runStatement(url: string, statement: string) {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    await client.query(statement)
  } finally {
    await client.end()
  }
}
