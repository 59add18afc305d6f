import type { Duplex } from 'node:stream'
import { PostgresDialect } from 'kysely'
import pg from 'pg'

const POOL_SIZE = 10
/** A caller waits this long for a connection, and this long for a statement: together less than the 2 s in which a visitor is told. */
const CONNECTION_TIMEOUT_MS = 1_000
const STATEMENT_TIMEOUT_MS = 900
/** A connection that nobody used is kept so long: on a busy machine a burst of prompts would wait too long for new ones. */
const IDLE_CONNECTION_MS = 10 * 60_000
/** A server that starts together with its database waits this long for it. */
const PATIENT_CONNECTION_TIMEOUT_MS = 10_000
/** PostgreSQL ends by itself what nobody waits for any more. */
const SERVER_STATEMENT_TIMEOUT_MS = 2_000
/** What a connection that has died in a transaction had locked is free again after this. */
const SERVER_IDLE_TIMEOUT_MS = 5_000

/** Times are bigint columns; all of them are safe integers. */
const TYPES: pg.CustomTypesConfig = {
  getTypeParser: (oid, format) => (oid === pg.types.builtins.INT8 ? Number : pg.types.getTypeParser(oid, format)),
}

/**
 * PostgreSQL for what a visitor waits for: a database that does not answer fails within two seconds, whether it is away, frozen or
 * has no connection left, and a connection that did not answer in time is not used again.
 * `onError` hears of connections that break while idle.
 */
export function postgresDialect(url: string, onError: (error: Error) => void): PostgresDialect {
  const pool = new pg.Pool({
    connectionString: url,
    max: POOL_SIZE,
    connectionTimeoutMillis: CONNECTION_TIMEOUT_MS,
    idleTimeoutMillis: IDLE_CONNECTION_MS,
    statement_timeout: SERVER_STATEMENT_TIMEOUT_MS,
    idle_in_transaction_session_timeout: SERVER_IDLE_TIMEOUT_MS,
    keepAlive: true,
    types: TYPES,
  })
  // Connections that are being closed may still hear that the server goes down.
  pool.on('error', (error) => pool.ending || onError(error))
  pool.on('connect', (client) => {
    // Whoever uses a connection hears of its end from its statement; without a listener it would end the process.
    client.on('error', () => undefined)
    limitStatements(client)
  })
  return new PostgresDialect({ pool })
}

/** PostgreSQL for what may take long and nobody waits for: one connection, statements as long as they need. */
export function patientPostgresDialect(url: string, onError: (error: Error) => void): PostgresDialect {
  const pool = new pg.Pool({ connectionString: url, max: 1, connectionTimeoutMillis: PATIENT_CONNECTION_TIMEOUT_MS, types: TYPES })
  pool.on('error', (error) => pool.ending || onError(error))
  return new PostgresDialect({ pool })
}

type Query = (statement: string, parameters?: unknown[]) => Promise<pg.QueryResult>

/** `pg` has a limit of its own, which leaves the connection in use: the next statement would wait for this one's reply. */
function limitStatements(client: pg.PoolClient): void {
  const query = client.query.bind(client) as Query
  const limited: Query = async (statement, parameters) => {
    let isAnswered = false
    const discard = () => {
      if (!isAnswered) (client as unknown as { connection: { stream: Duplex } }).connection.stream.destroy()
    }
    // A reply that came while this process was busy itself is read before the next immediate.
    const timer = setTimeout(() => setImmediate(discard), STATEMENT_TIMEOUT_MS)
    try {
      return await query(statement, parameters)
    } finally {
      isAnswered = true
      clearTimeout(timer)
    }
  }
  client.query = limited as typeof client.query
}
