import { hash, randomBytes } from 'node:crypto'
import { DatabaseSync } from 'node:sqlite'
import type { SlotLimit } from '../../async/semaphore.ts'
import type { QuotaCount } from '../store/turns/quotas.ts'

/** Beyond it, new keys share one, so that a flood of addresses is limited without using memory. */
const MAX_COUNTS = 100_000
const EVERYBODY_ELSE = 'everybody else'
const FORGET_INTERVAL_MS = 10_000
/** Longer than a process holds the lock. */
const LOCK_WAIT_MS = 1_000
const RELEASE_RETRY_MS = 500

const SCHEMA = `
  pragma journal_mode = wal;
  create table if not exists salt (value text not null);
  create table if not exists counts (key text primary key, count integer not null, ends_at integer not null) without rowid;
  create table if not exists slots (key text, worker integer, taken integer not null, primary key (key, worker)) without rowid;`

/** Creates the file that the processes of a machine share. It holds salted hashes, and is deleted with its folder. */
export function createSharedLimits(path: string): void {
  const database = new DatabaseSync(path)
  database.exec(SCHEMA)
  database.prepare('insert into salt values (?)').run(randomBytes(16).toString('hex'))
  database.close()
}

/** Gives back the slots of a process that has ended. */
export function releaseSlotsOf(path: string, worker: number): void {
  const database = new DatabaseSync(path, { timeout: LOCK_WAIT_MS })
  database.prepare('delete from slots where worker = ?').run(worker)
  database.close()
}

/** Slots by key, as those of `KeyedSemaphore`. */
export interface KeyedSlots {
  /** Takes a slot of every key and returns the function that releases them, or takes none and returns the first limit that is reached. */
  tryAcquire(limits: readonly SlotLimit[]): (() => void) | { reached: SlotLimit }
  /** How many slots of a key are taken. */
  count(key: string): number
}

/** Counters, as those of `CountsInMemory`. */
export interface Counts {
  up(counts: readonly QuotaCount[], now: number): Map<string, number>
  down(keys: readonly string[]): void
}

/**
 * Limits that the processes of a machine share, in an SQLite file in memory: frequent counts, and slots of connections, streams and
 * answers. A call takes some ten microseconds and never waits for a disk.
 */
export class SharedLimits implements Counts {
  readonly #database: DatabaseSync
  readonly #statements
  readonly #worker: number
  readonly #salt: string
  #forgottenAt = 0
  #isFull = false
  #retry: NodeJS.Timeout | undefined
  /** Slots that could not be released yet. */
  #unreleased: string[] = []

  constructor(path: string, worker: number, lockWaitMs = LOCK_WAIT_MS) {
    this.#worker = worker
    this.#database = new DatabaseSync(path, { timeout: lockWaitMs })
    this.#database.exec('pragma synchronous = off')
    this.#salt = (this.#database.prepare('select value from salt').get() as { value: string }).value
    const prepare = (sql: string) => this.#database.prepare(sql)
    this.#statements = {
      up: prepare(`insert into counts values (?, 1, ?) on conflict (key) do update set
        count = case when ends_at > ? then count + 1 else 1 end,
        ends_at = case when ends_at > ? then ends_at else excluded.ends_at end returning count`),
      down: prepare('update counts set count = count - 1 where key = ? and count > 0'),
      has: prepare('select 1 from counts where key = ?'),
      forget: prepare('delete from counts where ends_at <= ?'),
      size: prepare('select count(*) as size from counts'),
      taken: prepare('select coalesce(sum(taken), 0) as taken from slots where key = ?'),
      take: prepare('insert into slots values (?, ?, 1) on conflict (key, worker) do update set taken = taken + 1'),
      release: prepare('update slots set taken = taken - 1 where key = ? and worker = ?'),
      clear: prepare('delete from slots where key = ? and worker = ? and taken <= 0'),
    }
  }

  up(counts: readonly QuotaCount[], now: number): Map<string, number> {
    this.#forgetEnded(now)
    return this.#within(
      () =>
        new Map(
          counts.map(({ key, endsAt }) => {
            const place = this.#placeOf(key)
            const { count } = this.#statements.up.get(place, endsAt, now, now) as { count: number }
            return [key, count]
          }),
        ),
    )
  }

  down(keys: readonly string[]): void {
    for (const key of keys) this.#statements.down.run(this.#placeOf(key))
  }

  /** Slots of one kind. */
  slots(kind: string): KeyedSlots {
    const nameOf = (key: string) => this.#nameOf(`${kind} ${key}`)
    const taken = (name: string) => (this.#statements.taken.get(name) as { taken: number }).taken
    return {
      count: (key) => taken(nameOf(key)),
      tryAcquire: (limits) =>
        this.#within(() => {
          const names = limits.map(({ key }) => nameOf(key))
          const reached = limits.find(({ limit }, index) => taken(names[index] as string) >= limit)
          if (reached) return { reached }
          for (const name of names) this.#statements.take.run(name, this.#worker)
          let isReleased = false
          return () => {
            if (!isReleased) this.#release(names)
            isReleased = true
          }
        }),
    }
  }

  close(): void {
    clearTimeout(this.#retry)
    this.#database.close()
  }

  /** Never throws: what another process keeps locked is released later, as a slot would otherwise stay taken until the process ends. */
  #release(names: readonly string[]): void {
    const all = [...this.#unreleased, ...names]
    try {
      this.#within(() => {
        for (const name of all) {
          this.#statements.release.run(name, this.#worker)
          this.#statements.clear.run(name, this.#worker)
        }
      })
      this.#unreleased = []
    } catch {
      this.#unreleased = all
      clearTimeout(this.#retry)
      this.#retry = setTimeout(() => this.#release([]), RELEASE_RETRY_MS).unref()
    }
  }

  #within<T>(change: () => T): T {
    this.#database.exec('begin immediate')
    try {
      const result = change()
      this.#database.exec('commit')
      return result
    } catch (error) {
      this.#database.exec('rollback')
      throw error
    }
  }

  #nameOf(key: string): string {
    return hash('sha256', this.#salt + key, 'base64url').slice(0, 22)
  }

  #placeOf(key: string): string {
    const name = this.#nameOf(key)
    return !this.#isFull || this.#statements.has.get(name) ? name : EVERYBODY_ELSE
  }

  #forgetEnded(now: number): void {
    if (now - this.#forgottenAt < FORGET_INTERVAL_MS && now >= this.#forgottenAt) return
    this.#forgottenAt = now
    this.#statements.forget.run(now)
    this.#isFull = (this.#statements.size.get() as { size: number }).size >= MAX_COUNTS
  }
}
