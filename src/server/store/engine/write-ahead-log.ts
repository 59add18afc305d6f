import { close, closeSync, fdatasync, fsyncSync, openSync } from 'node:fs'
import { dirname } from 'node:path'

/**
 * Makes what SQLite has written to a write-ahead log durable, without the event loop waiting for the disk.
 * Needs `synchronous = NORMAL`: SQLite then syncs the log itself before it copies from it, and at no other time,
 * see https://sqlite.org/pragma.html#pragma_synchronous. With this after each commit, the promise is that of `FULL`.
 */
export class WriteAheadLog {
  readonly #file: string
  #descriptor: number | undefined
  /** The sync that runs, and the one after it, which all who come meanwhile share. */
  #running: Promise<void> | null = null
  #next: Promise<void> | null = null

  /** `database` is the file of the database; its log exists once something has been written. */
  constructor(database: string) {
    this.#file = `${database}-wal`
  }

  /** Resolves when all that was committed before the call survives a loss of power. Rejects when the disk refuses. */
  sync(): Promise<void> {
    if (!this.#running) return this.#start()
    // What runs may have begun before the caller's pages were written.
    this.#next ??= this.#running.then(
      () => this.#start(),
      () => this.#start(),
    )
    return this.#next
  }

  async close(): Promise<void> {
    await Promise.allSettled([this.#running, this.#next])
    if (this.#descriptor !== undefined) close(this.#descriptor)
    this.#descriptor = undefined
  }

  #start(): Promise<void> {
    this.#next = null
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    this.#running = promise
    fdatasync(this.#open(), (error) => {
      this.#running = null
      if (error) reject(error)
      else resolve()
    })
    return promise
  }

  /** The log keeps its file as long as this process is connected, so it is opened once; its name in the folder has to last too. */
  #open(): number {
    if (this.#descriptor === undefined) {
      this.#descriptor = openSync(this.#file, 'r+')
      const folder = openSync(dirname(this.#file), 'r')
      fsyncSync(folder)
      closeSync(folder)
    }
    return this.#descriptor
  }
}
