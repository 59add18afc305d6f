import { type CompiledQuery, type DatabaseConnection, type Driver, type QueryResult, type SqliteDatabase, SqliteDriver } from 'kysely'
import { type Release, Semaphore } from '../../../async/semaphore.ts'
import type { WriteAheadLog } from './write-ahead-log.ts'

/**
 * Kysely's driver for SQLite, on one connection that callers use in turn.
 * A transaction is durable when it resolves: it survives a power loss. It releases the connection as soon as it is committed,
 * so the transactions of a burst are committed one after another and wait for the disk together.
 * A single statement is committed when it resolves: it survives the process, and reaches the disk with the next transaction.
 */
export class DurableSqliteDriver implements Driver {
  readonly #sqlite: SqliteDriver
  readonly #log: Pick<WriteAheadLog, 'sync' | 'close'>
  readonly #connection = new Semaphore(1)
  #database: SqliteDatabase | undefined

  constructor(open: () => Promise<SqliteDatabase>, log: Pick<WriteAheadLog, 'sync' | 'close'>) {
    this.#sqlite = new SqliteDriver({ database: async () => (this.#database = await open()) })
    this.#log = log
  }

  init(): Promise<void> {
    return this.#sqlite.init()
  }

  async acquireConnection(): Promise<DatabaseConnection> {
    const release = await this.#connection.acquire()
    return new LeasedConnection(await this.#sqlite.acquireConnection(), release)
  }

  async releaseConnection(connection: DatabaseConnection): Promise<void> {
    ;(connection as LeasedConnection).release()
  }

  /** Takes the write lock at once: a transaction that reads first and writes later would fail if another process wrote in between. */
  async beginTransaction(): Promise<void> {
    this.#run('begin immediate')
  }

  async commitTransaction(connection: DatabaseConnection): Promise<void> {
    this.#run('commit')
    const synced = this.#log.sync()
    ;(connection as LeasedConnection).release()
    await synced
  }

  async rollbackTransaction(connection: DatabaseConnection): Promise<void> {
    // The disk refused a committed transaction, which can't be rolled back: the connection has its next user.
    if ((connection as LeasedConnection).isReleased) return
    try {
      this.#run('rollback')
    } catch (error) {
      unlessRolledBack(error as Error)
    }
  }

  async destroy(): Promise<void> {
    await this.#connection.acquire()
    await this.#log.close()
    await this.#sqlite.destroy()
  }

  #run(statement: string): void {
    this.#database?.prepare(statement).run([])
  }
}

/** The connection while one caller has it. */
class LeasedConnection implements DatabaseConnection {
  readonly #inner: DatabaseConnection
  readonly #release: Release
  isReleased = false

  constructor(inner: DatabaseConnection, release: Release) {
    this.#inner = inner
    this.#release = release
  }

  release(): void {
    this.isReleased = true
    this.#release()
  }

  executeQuery<Row>(query: CompiledQuery): Promise<QueryResult<Row>> {
    return this.#inner.executeQuery<Row>(query)
  }

  streamQuery<Row>(query: CompiledQuery, chunkSize?: number): AsyncIterableIterator<QueryResult<Row>> {
    return this.#inner.streamQuery<Row>(query, chunkSize ?? 1)
  }
}

/** SQLite rolls back by itself when the disk is full; the failed statement has reported why. See https://sqlite.org/lang_transaction.html */
function unlessRolledBack(error: Error): void {
  if (error.message !== 'cannot rollback - no transaction is active') throw error
}
