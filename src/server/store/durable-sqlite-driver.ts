import { type CompiledQuery, type DatabaseConnection, type Driver, type QueryResult, type SqliteDatabase, SqliteDriver } from 'kysely'
import type { WriteAheadLog } from './write-ahead-log.ts'

/**
 * Kysely's driver for SQLite, for one connection that callers take turns on.
 * A transaction is durable when it resolves: it survives a loss of power. It gives up the connection as soon as it is committed,
 * so those of a burst are committed one after another and wait for the disk together.
 * A single statement is committed when it resolves: it survives the process, and the disk follows with the next transaction.
 */
export class DurableSqliteDriver implements Driver {
  readonly #sqlite: SqliteDriver
  readonly #log: Pick<WriteAheadLog, 'sync' | 'close'>
  readonly #waiting: (() => void)[] = []
  #database: SqliteDatabase | undefined
  #isTaken = false

  constructor(open: () => Promise<SqliteDatabase>, log: Pick<WriteAheadLog, 'sync' | 'close'>) {
    this.#sqlite = new SqliteDriver({ database: async () => (this.#database = await open()) })
    this.#log = log
  }

  init(): Promise<void> {
    return this.#sqlite.init()
  }

  async acquireConnection(): Promise<DatabaseConnection> {
    await this.take()
    return new TurnOnConnection(await this.#sqlite.acquireConnection(), this)
  }

  async releaseConnection(connection: DatabaseConnection): Promise<void> {
    ;(connection as TurnOnConnection).end()
  }

  /**
   * Executes a statement here and now, as SQLite can, past all that Kysely does around one, which takes as long as the statement.
   * Undefined, and nothing is done, when the connection is somebody else's: `isOwn` says that the caller's transaction has it.
   */
  atOnce(sql: string, parameters: readonly unknown[], isOwn: boolean): { rows: unknown[]; changed: number } | undefined {
    if (!this.#database || (this.#isTaken && !isOwn)) return undefined
    const statement = this.#database.prepare(sql)
    if (statement.reader) return { rows: statement.all(parameters), changed: 0 }
    return { rows: [], changed: Number(statement.run(parameters).changes) }
  }

  /** A transaction that read first and wrote later would fail when another process wrote in between: the lock is taken at once. */
  async beginTransaction(): Promise<void> {
    this.#run('begin immediate')
  }

  async commitTransaction(connection: DatabaseConnection): Promise<void> {
    this.#run('commit')
    ;(connection as TurnOnConnection).end()
    await this.#log.sync()
  }

  async rollbackTransaction(connection: DatabaseConnection): Promise<void> {
    // What is committed stays so, though the disk has refused it: the connection is somebody else's by now.
    if ((connection as TurnOnConnection).hasEnded) return
    try {
      this.#run('rollback')
    } catch (error) {
      unlessRolledBack(error as Error)
    }
  }

  async destroy(): Promise<void> {
    await this.take()
    await this.#log.close()
    await this.#sqlite.destroy()
  }

  #run(statement: string): void {
    this.#database?.prepare(statement).run([])
  }

  /** Waits for the connection, in the order of asking. */
  async take(): Promise<void> {
    if (this.#isTaken) await new Promise<void>((resolve) => this.#waiting.push(resolve))
    this.#isTaken = true
  }

  handOver(): void {
    const waiting = this.#waiting.shift()
    if (waiting) waiting()
    else this.#isTaken = false
  }
}

/** One caller's turn on the connection. */
class TurnOnConnection implements DatabaseConnection {
  readonly #inner: DatabaseConnection
  readonly #driver: DurableSqliteDriver
  hasEnded = false

  constructor(inner: DatabaseConnection, driver: DurableSqliteDriver) {
    this.#inner = inner
    this.#driver = driver
  }

  end(): void {
    if (this.hasEnded) return
    this.hasEnded = true
    this.#driver.handOver()
  }

  executeQuery<Row>(query: CompiledQuery): Promise<QueryResult<Row>> {
    return this.#inner.executeQuery<Row>(query)
  }

  streamQuery<Row>(query: CompiledQuery, chunkSize?: number): AsyncIterableIterator<QueryResult<Row>> {
    return this.#inner.streamQuery<Row>(query, chunkSize ?? 1)
  }
}

/** With a full disk SQLite rolls back by itself; the statement that failed says why. See https://sqlite.org/lang_transaction.html */
function unlessRolledBack(error: Error): void {
  if (error.message !== 'cannot rollback - no transaction is active') throw error
}
