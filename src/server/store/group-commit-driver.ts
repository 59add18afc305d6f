import {
  CompiledQuery,
  type DatabaseConnection,
  type Driver,
  type QueryResult,
  SelectQueryNode,
  type SqliteDialectConfig,
  SqliteDriver,
} from 'kysely'

/** Transactions that share one COMMIT; a burst that is longer is committed in several. */
const MAX_GROUP = 16

interface Group {
  size: number
  committed: PromiseWithResolvers<void>
  /** Set when SQLite has taken back the whole group, as it may when the disk is full. */
  failure: Error | undefined
}

/**
 * Kysely's driver for SQLite, for one connection, with group commit: transactions that wait for the connection while one runs
 * are committed together with it, so that a burst waits for the disk once and not once each. Every transaction is a savepoint:
 * one that fails takes back its own statements only. None is told that it is committed before the COMMIT of its group is done,
 * and all of a group fail with it.
 */
export class GroupCommitDriver implements Driver {
  readonly #sqlite: SqliteDriver
  readonly #waiting: (() => void)[] = []
  #isTaken = false
  #group: Group | null = null

  constructor(config: SqliteDialectConfig) {
    this.#sqlite = new SqliteDriver(config)
  }

  init(): Promise<void> {
    return this.#sqlite.init()
  }

  async acquireConnection(): Promise<DatabaseConnection> {
    await this.take()
    return new TurnOnConnection(await this.#sqlite.acquireConnection(), this)
  }

  async releaseConnection(connection: DatabaseConnection): Promise<void> {
    await (connection as TurnOnConnection).end()
  }

  /** A transaction that read first and wrote later would fail when another process wrote in between: the lock is taken at once. */
  async beginTransaction(connection: DatabaseConnection): Promise<void> {
    const turn = connection as TurnOnConnection
    await turn.begin()
    turn.transaction = this.#group ? 'member' : 'first'
    if (this.#group) await run(turn.inner, 'savepoint member')
    else this.#group = await openGroup(turn.inner)
    this.#group.size += 1
  }

  async commitTransaction(connection: DatabaseConnection): Promise<void> {
    const turn = connection as TurnOnConnection
    if (turn.transaction === 'member') await run(turn.inner, 'release member')
    turn.transaction = null
    const committed = this.#group?.committed.promise
    await turn.end()
    await committed
  }

  async rollbackTransaction(connection: DatabaseConnection): Promise<void> {
    const turn = connection as TurnOnConnection
    const { transaction } = turn
    turn.transaction = null
    try {
      if (transaction === 'first') return await this.#drop(turn.inner)
      await run(turn.inner, 'rollback to member')
      await run(turn.inner, 'release member')
    } catch (cause) {
      if (this.#group) this.#group.failure = new Error('A transaction could not be rolled back by itself', { cause })
    }
  }

  async destroy(): Promise<void> {
    await this.take()
    await this.#sqlite.destroy()
  }

  /** Waits for the connection, in the order of asking. */
  async take(): Promise<void> {
    if (this.#isTaken) await new Promise<void>((resolve) => this.#waiting.push(resolve))
    this.#isTaken = true
  }

  /** Commits the group, unless the next turn can still join it, and gives the connection to that. */
  async handOver(inner: DatabaseConnection): Promise<void> {
    const next = this.#waiting.length > 0
    if (this.#group && (!next || this.#group.size >= MAX_GROUP || this.#group.failure)) await this.flush(inner)
    const waiting = this.#waiting.shift()
    if (waiting) waiting()
    else this.#isTaken = false
  }

  /** The first of a group takes it back before anybody else has joined. */
  async #drop(inner: DatabaseConnection): Promise<void> {
    this.#group = null
    await run(inner, 'rollback')
  }

  async flush(inner: DatabaseConnection): Promise<void> {
    const group = this.#group
    this.#group = null
    if (!group) return
    try {
      if (group.failure) throw group.failure
      await run(inner, 'commit')
      group.committed.resolve()
    } catch (error) {
      group.committed.reject(error)
      // Fails when SQLite has rolled back by itself, which is as well.
      await run(inner, 'rollback').catch(() => undefined)
    }
  }
}

/** One caller's turn on the connection. */
class TurnOnConnection implements DatabaseConnection {
  readonly inner: DatabaseConnection
  /** The first transaction of a group needs no savepoint: taken back, it takes the whole group, which is itself. */
  transaction: 'first' | 'member' | null = null
  readonly #driver: GroupCommitDriver
  #hasConnection = true

  constructor(inner: DatabaseConnection, driver: GroupCommitDriver) {
    this.inner = inner
    this.#driver = driver
  }

  /** A turn ends with its transaction, and begins again when there is more to do. */
  async begin(): Promise<void> {
    if (!this.#hasConnection) await this.#driver.take()
    this.#hasConnection = true
  }

  async end(): Promise<void> {
    if (!this.#hasConnection) return
    this.#hasConnection = false
    await this.#driver.handOver(this.inner)
  }

  async executeQuery<Row>(query: CompiledQuery): Promise<QueryResult<Row>> {
    await this.begin()
    // A write outside of a transaction is durable when it returns, so it can't be part of a group that is not.
    if (this.transaction === null && !SelectQueryNode.is(query.query)) await this.#driver.flush(this.inner)
    return this.inner.executeQuery<Row>(query)
  }

  async *streamQuery<Row>(query: CompiledQuery, chunkSize?: number): AsyncIterableIterator<QueryResult<Row>> {
    await this.begin()
    yield* this.inner.streamQuery<Row>(query, chunkSize ?? 1)
  }
}

async function openGroup(connection: DatabaseConnection): Promise<Group> {
  await run(connection, 'begin immediate')
  const committed = Promise.withResolvers<void>()
  // Whoever waits hears of a failure; when all of a group have been rolled back, nobody waits.
  committed.promise.catch(() => undefined)
  return { size: 0, committed, failure: undefined }
}

async function run(connection: DatabaseConnection, statement: string): Promise<void> {
  await connection.executeQuery(CompiledQuery.raw(statement))
}
