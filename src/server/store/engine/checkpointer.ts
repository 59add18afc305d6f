import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import { sql } from 'kysely'
import { type Database, isEmbedded } from './database.ts'

const THREAD_LIMITS = { maxOldGenerationSizeMb: 16 }

/**
 * Copies SQLite's write-ahead log into the database in a thread of its own. SQLite would do it in the statement that fills the log, and
 * block the event loop until the disk has it. Does nothing on PostgreSQL.
 */
export class Checkpointer {
  readonly #database: Database
  #thread: Worker | null = null

  constructor(database: Database) {
    this.#database = database
  }

  /** Resolves when the log is copied. Starts the thread if there is none. */
  async run(): Promise<void> {
    if (!isEmbedded(this.#database)) return
    this.#thread ??= new Worker(new URL('./checkpoint-worker.ts', import.meta.url), {
      workerData: await fileOf(this.#database),
      resourceLimits: THREAD_LIMITS,
    })
    const copied = once(this.#thread, 'message')
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
    this.#thread.postMessage('run')
    await copied
  }

  /** Ends the thread. */
  async close(): Promise<void> {
    await this.#thread?.terminate()
    this.#thread = null
  }
}

async function fileOf(database: Database): Promise<string> {
  const { rows } = await sql<{ file: string }>`select file from pragma_database_list where name = 'main'`.execute(database)
  return rows[0]!.file
}
