import type { Duplex } from 'node:stream'
import { PostgresDialect } from 'kysely'
import pg from 'pg'

/** PostgreSQL refuses writes: it is a standby, or was made read-only. */
const READ_ONLY = '25006'
/** Shares of the timeout for a connection and a statement: together below the time in which a failure must be reported. */
const CONNECTION_SHARE = 0.5
const STATEMENT_SHARE = 0.45
/** Idle connections stay open this long, since a burst would wait too long for new ones. */
const IDLE_CONNECTION_MS = 10 * 60_000
/** Connection time limit at the start, when the database may be starting too. */
const PATIENT_CONNECTION_TIMEOUT_MS = 10_000
/** Multiple of the timeout after which the server releases the locks of dead connections. */
const SERVER_IDLE_SHARE = 2.5

/** Parses bigint columns, which are safe integers. */
const TYPES: pg.CustomTypesConfig = {
  getTypeParser: (oid, format) => (oid === pg.types.builtins.INT8 ? Number : pg.types.getTypeParser(oid, format)),
}

/** Limits of the server: for abandoned statements, and for dead connections. */
const serverLimits = (timeoutMs: number): string =>
  `SET statement_timeout = ${timeoutMs}; SET idle_in_transaction_session_timeout = ${timeoutMs * SERVER_IDLE_SHARE}`

/**
 * PostgreSQL for requests: an unavailable, frozen or exhausted database fails within `timeoutMs`, and a connection that timed out is not
 * reused. Neither is one that only reads. `onError` is called when an idle connection breaks.
 */
export function postgresDialect(
  { url, connections, timeoutMs }: { url: string; connections: number; timeoutMs: number },
  onError: (error: Error) => void,
) {
  const pool = new pg.Pool({
    connectionString: url,
    max: connections,
    connectionTimeoutMillis: timeoutMs * CONNECTION_SHARE,
    idleTimeoutMillis: IDLE_CONNECTION_MS,
    keepAlive: true,
    types: TYPES,
  })
  // Closing connections may still report a server shutdown.
  pool.on('error', (error) => pool.ending || onError(error))
  pool.on('connect', (client) => {
    // The statement reports the error; without a listener it would crash the process.
    client.on('error', () => undefined)
    limitStatements(client, timeoutMs * STATEMENT_SHARE)
    // Not as startup parameters, which pgbouncer rejects.
    client.query(serverLimits(timeoutMs)).catch(() => undefined)
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
function limitStatements(client: pg.PoolClient, timeoutMs: number): void {
  const query = client.query.bind(client) as Query
  const limited: Query = async (statement, parameters) => {
    let isAnswered = false
    const discard = () => (client as unknown as { connection: { stream: Duplex } }).connection.stream.destroy()
    // Reads a reply that arrived while the event loop was blocked.
    const timer = setTimeout(() => setImmediate(() => isAnswered || discard()), timeoutMs)
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
