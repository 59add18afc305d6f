import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import type { TestServer } from '../../support/server.ts'

/** Queries the database directly. The statement must work on SQLite and PostgreSQL. */
export async function storedRows<Row>(
  { env, dataDirectory }: Pick<TestServer, 'env' | 'dataDirectory'>,
  statement: string,
): Promise<Row[]> {
  const url = env['DATABASE_URL']
  return url ? runStatement<Row>(url, statement) : sqliteRows<Row>(join(dataDirectory, 'parley.db'), statement)
}

/** Runs a statement on the PostgreSQL at this address, on a connection of its own. */
export async function runStatement<Row>(url: string, statement: string): Promise<Row[]> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    return (await client.query(statement)).rows as Row[]
  } finally {
    await client.end()
  }
}

const POLL_MS = 10

/** Resolves when PostgreSQL has ended the last statements of a killed server. */
export async function whenNobodyElseWrites({ env, dataDirectory }: Pick<TestServer, 'env' | 'dataDirectory'>): Promise<void> {
  if (!env['DATABASE_URL']) return
  const others = 'SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()'
  while ((await storedRows({ env, dataDirectory }, others)).length > 0) await pause(POLL_MS)
}

function sqliteRows<Row>(file: string, statement: string): Row[] {
  const database = new DatabaseSync(file, { readOnly: true, timeout: 5_000 })
  try {
    return database.prepare(statement).all() as Row[]
  } finally {
    database.close()
  }
}

/** Sessions with gaps in their message numbers. */
export function sessionsWithGaps(server: Pick<TestServer, 'env' | 'dataDirectory'>): Promise<{ session_id: string }[]> {
  return storedRows(
    server,
    'SELECT session_id FROM messages GROUP BY session_id HAVING min(position) <> 1 OR max(position) <> count(*) OR count(DISTINCT position) <> count(*)',
  )
}
