import { DatabaseSync, type StatementSync } from 'node:sqlite'
import { setTimeout as pause } from 'node:timers/promises'
import { SqliteAdapter, SqliteDialect, type SqliteDatabase, type SqliteStatement } from 'kysely'
import { DurableSqliteDriver } from './durable-sqlite-driver.ts'
import { WriteAheadLog } from './write-ahead-log.ts'

/** How long a statement waits for another process that is writing, in milliseconds. */
const BUSY_TIMEOUT_MS = 5_000
const BUSY_PAUSE_MS = 20
/** SQLite's result code, https://sqlite.org/rescode.html#busy */
const SQLITE_BUSY = 5
/** Limit of cached prepared statements, beyond which all are prepared again. */
const MAX_PREPARED_STATEMENTS = 200

/** Runs migrations in a transaction, which Kysely's adapter doesn't. Our driver serializes callers. */
class DurableSqliteAdapter extends SqliteAdapter {
  override get supportsTransactionalDdl(): boolean {
    return true
  }

  override get supportsMultipleConnections(): boolean {
    return true
  }
}

/** Kysely's SQLite dialect on Node's own `node:sqlite`. */
export class NodeSqliteDialect extends SqliteDialect {
  readonly #file: string
  readonly #log: Pick<WriteAheadLog, 'sync' | 'close'>

  constructor(file: string, log: Pick<WriteAheadLog, 'sync' | 'close'> = new WriteAheadLog(file)) {
    super({ database: () => open(file) })
    this.#file = file
    this.#log = log
  }

  override createDriver(): DurableSqliteDriver {
    return new DurableSqliteDriver(() => open(this.#file), this.#log)
  }

  override createAdapter(): SqliteAdapter {
    return new DurableSqliteAdapter()
  }
}

async function open(file: string): Promise<SqliteDatabase> {
  const database = new DatabaseSync(file, { timeout: BUSY_TIMEOUT_MS })
  await useWriteAheadLog(database)
  // The driver syncs asynchronously, where SQLite would block the event loop.
  database.exec('PRAGMA synchronous = NORMAL')
  database.exec('PRAGMA foreign_keys = ON')
  database.exec('PRAGMA secure_delete = ON')
  // The log grows to 16 MB, not 4, before it is copied into the database: a prompt that waits for that is rarer.
  database.exec('PRAGMA wal_autocheckpoint = 4000')
  const statements = new Map<string, SqliteStatement>()
  return {
    close: () => database.close(),
    prepare(sql) {
      let statement = statements.get(sql)
      if (!statement) {
        statement = asKyselyHasIt(database.prepare(sql))
        if (statements.size >= MAX_PREPARED_STATEMENTS) statements.clear()
        statements.set(sql, statement)
      }
      return statement
    },
  }
}

function asKyselyHasIt(statement: StatementSync): SqliteStatement {
  return {
    reader: statement.columns().length > 0,
    all: (parameters) => statement.all(...(parameters as never[])),
    run: (parameters) => statement.run(...(parameters as never[])),
    iterate: (parameters) => statement.iterate(...(parameters as never[])) as IterableIterator<unknown>,
  }
}

/** Retries, because SQLite's busy timeout doesn't apply when several processes switch a new database to WAL. */
async function useWriteAheadLog(database: DatabaseSync): Promise<void> {
  const giveUpAt = performance.now() + BUSY_TIMEOUT_MS
  for (;;) {
    try {
      return database.exec('PRAGMA journal_mode = WAL')
    } catch (error) {
      if ((error as { errcode?: number }).errcode !== SQLITE_BUSY || performance.now() > giveUpAt) throw error
      await pause(BUSY_PAUSE_MS)
    }
  }
}
