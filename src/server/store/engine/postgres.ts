import type { Duplex } from 'node:stream'
import { PostgresDialect } from 'kysely'
import pg from 'pg'
import { WaitingTime } from './waiting-time.ts'

/** PostgreSQL refuses writes: it is a standby, or was made read-only. */
const READ_ONLY = '25006'
/** Shares of the timeout for a connection and a statement. `WaitingTime` keeps them together below it. */
const CONNECTION_SHARE = 0.5
const STATEMENT_SHARE = 0.75
/** Idle connections stay open this long, since a burst would wait too long for new ones. */
const IDLE_CONNECTION_MS = 10 * 60_000
/** Connection time limit at the start, when the database may be starting too. */
const PATIENT_CONNECTION_TIMEOUT_MS = 10_000
/** Multiple of the timeout after which the server releases the locks of dead connections. */
const SERVER_IDLE_SHARE = 2.5

/** Parses bigint columns, which are safe integers. */
export const POSTGRES_TYPES: pg.CustomTypesConfig = {
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
    // Sooner: `connectionInTime`.
    connectionTimeoutMillis: timeoutMs,
    idleTimeoutMillis: IDLE_CONNECTION_MS,
    keepAlive: true,
    types: POSTGRES_TYPES,
  })
  const waiting = new WaitingTime(timeoutMs)
  // Closing connections may still report a server shutdown.
  pool.on('error', (error) => pool.ending || onError(error))
  pool.on('connect', (client) => {
    // The statement reports the error; without a listener it would crash the process.
    client.on('error', () => undefined)
    limitStatements(client, waiting)
    // Not as startup parameters, which pgbouncer rejects.
    client.query(serverLimits(timeoutMs)).catch(() => undefined)
  })
  const levels = (): ConnectionLevels => ({ open: pool.totalCount, idle: pool.idleCount, waiting: pool.waitingCount, max: connections })
  const inTime = { connect: () => connectionInTime(pool, waiting), end: () => pool.end(), options: pool.options }
  return { dialect: new PostgresDialect({ pool: inTime }), levels }
}

/** A connection of the pool; sooner than its own limit, if the request has waited before. */
async function connectionInTime(pool: pg.Pool, waiting: WaitingTime): Promise<pg.PoolClient> {
  const startedAt = performance.now()
  const late = Promise.withResolvers<never>()
  // As the pool's own limit says it.
  // After a connection that was made while the event loop was blocked.
  const rejectLate = () => late.reject(new Error('timeout exceeded when trying to connect'))
  const timer = setTimeout(() => setImmediate(rejectLate), waiting.next(CONNECTION_SHARE))
  const connecting = pool.connect()
  try {
    return await Promise.race([connecting, late.promise])
  } catch (error) {
    connecting.then((client) => client.release()).catch(() => undefined)
    throw error
  } finally {
    clearTimeout(timer)
    waiting.add(performance.now() - startedAt)
  }
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
  const pool = new pg.Pool({ connectionString: url, max: 1, connectionTimeoutMillis: PATIENT_CONNECTION_TIMEOUT_MS, types: POSTGRES_TYPES })
  pool.on('error', (error) => pool.ending || onError(error))
  return new PostgresDialect({ pool })
}

type Query = (statement: string, parameters?: unknown[]) => Promise<pg.QueryResult>

/** Own time limit, because that of `pg` leaves the connection in use and the next statement would wait. */
function limitStatements(client: pg.PoolClient, waiting: WaitingTime): void {
  const query = client.query.bind(client) as Query
  const limited: Query = async (statement, parameters) => {
    let isAnswered = false
    const startedAt = performance.now()
    const discard = () => (client as unknown as { connection: { stream: Duplex } }).connection.stream.destroy()
    // Reads a reply that arrived while the event loop was blocked.
    const timer = setTimeout(() => setImmediate(() => isAnswered || discard()), waiting.next(STATEMENT_SHARE))
    try {
      return await query(statement, parameters)
    } catch (error) {
      if ((error as { code?: string }).code === READ_ONLY) discard()
      throw error
    } finally {
      isAnswered = true
      clearTimeout(timer)
      waiting.add(performance.now() - startedAt)
    }
  }
  client.query = limited as typeof client.query
}
