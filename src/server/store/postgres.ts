import type { Duplex } from 'node:stream'
import { PostgresDialect } from 'kysely'
import pg from 'pg'

/** PostgreSQL refuses writes: it is a standby, or was made read-only. */
const READ_ONLY = '25006'
/** Time limits for a connection and a statement: together below the 2 s in which a failure must be reported. */
const CONNECTION_TIMEOUT_MS = 1_000
const STATEMENT_TIMEOUT_MS = 900
/** Idle connections stay open this long, since a burst would wait too long for new ones. */
const IDLE_CONNECTION_MS = 10 * 60_000
/** Connection time limit at the start, when the database may be starting too. */
const PATIENT_CONNECTION_TIMEOUT_MS = 10_000
/** Server-side limit, which ends abandoned statements. */
const SERVER_STATEMENT_TIMEOUT_MS = 2_000
/** Server-side limit, which releases locks of dead connections. */
const SERVER_IDLE_TIMEOUT_MS = 5_000

const SERVER_LIMITS = `SET statement_timeout = ${SERVER_STATEMENT_TIMEOUT_MS}; SET idle_in_transaction_session_timeout = ${SERVER_IDLE_TIMEOUT_MS}`

/** Parses bigint columns, which are safe integers. */
const TYPES: pg.CustomTypesConfig = {
  getTypeParser: (oid, format) => (oid === pg.types.builtins.INT8 ? Number : pg.types.getTypeParser(oid, format)),
}

/**
 * PostgreSQL for requests: an unavailable, frozen or exhausted database fails within two seconds, and a connection that timed out is not
 * reused. Neither is one that only reads. `onError` is called when an idle connection breaks.
 */
export function postgresDialect(url: string, onError: (error: Error) => void, connections: number) {
  const pool = new pg.Pool({
    connectionString: url,
    max: connections,
    connectionTimeoutMillis: CONNECTION_TIMEOUT_MS,
    idleTimeoutMillis: IDLE_CONNECTION_MS,
    keepAlive: true,
    types: TYPES,
  })
  // Closing connections may still report a server shutdown.
  pool.on('error', (error) => pool.ending || onError(error))
  pool.on('connect', (client) => {
    // The statement reports the error; without a listener it would crash the process.
    client.on('error', () => undefined)
    limitStatements(client)
    // Not as startup parameters, which pgbouncer rejects.
    client.query(SERVER_LIMITS).catch(() => undefined)
  })
  const levels = (): ConnectionLevels => ({ open: pool.totalCount, idle: pool.idleCount, waiting: pool.waitingCount, max: connections })
  return { dialect: new PostgresDialect({ pool }), levels }
}

/** Connections of a pool, and statements that wait for one. */
export interface ConnectionLevels {
  open: number
  idle: number
  waiting: number
  max: number
}

/** PostgreSQL for background work: one connection without statement time limits. */
export function patientPostgresDialect(url: string, onError: (error: Error) => void): PostgresDialect {
  const pool = new pg.Pool({ connectionString: url, max: 1, connectionTimeoutMillis: PATIENT_CONNECTION_TIMEOUT_MS, types: TYPES })
  pool.on('error', (error) => pool.ending || onError(error))
  return new PostgresDialect({ pool })
}

type Query = (statement: string, parameters?: unknown[]) => Promise<pg.QueryResult>

/** Own time limit, because that of `pg` leaves the connection in use and the next statement would wait. */
function limitStatements(client: pg.PoolClient): void {
  const query = client.query.bind(client) as Query
  const limited: Query = async (statement, parameters) => {
    let isAnswered = false
    const discard = () => (client as unknown as { connection: { stream: Duplex } }).connection.stream.destroy()
    // Reads a reply that arrived while the event loop was blocked.
    const timer = setTimeout(() => setImmediate(() => isAnswered || discard()), STATEMENT_TIMEOUT_MS)
    try {
      return await query(statement, parameters)
    } catch (error) {
      if ((error as { code?: string }).code === READ_ONLY) discard()
      throw error
    } finally {
      isAnswered = true
      clearTimeout(timer)
    }
  }
  client.query = limited as typeof client.query
}
