import type { ErrorCode } from '../../contract/errors.ts'
import type { Database } from '../store/engine/database.ts'
import { addNetworkRejections, type NetworkRejection, trimNetworkRejections } from '../store/staff/network-rejections.ts'
import { AddressKeys } from './address-keys.ts'

const WRITE_INTERVAL_MS = 5_000
const DAY_MS = 86_400_000
/** Networks that wait to be written; further ones are not counted. */
const MAX_PENDING = 5_000
/** Networks that one write adds to: those with the most rejections. */
const MAX_WRITTEN = 500
/** Networks of a day in the database. Above the first number, the second remain. */
const STORED = { max: 4_000, kept: 2_000 }

/** Counts rejected requests by network, of which the database has only the pseudonym of the day. */
export class NetworkRejections {
  readonly #options: { database: Database; now: () => number; onFault: (message: string, cause: unknown) => void }
  readonly #keys: AddressKeys
  readonly #timer: NodeJS.Timeout
  /** Counts by code, by network, of the day on which they began. */
  #pending = new Map<string, Map<ErrorCode, number>>()
  #day = 0
  #writing: Promise<void> = Promise.resolve()

  constructor(options: { database: Database; now: () => number; onFault: (message: string, cause: unknown) => void }) {
    this.#options = options
    this.#keys = new AddressKeys(options.database)
    this.#timer = setInterval(() => {
      this.write().catch((cause: unknown) => options.onFault('Writing the rejections of networks failed', cause))
    }, WRITE_INTERVAL_MS).unref()
  }

  count(network: string, code: ErrorCode): void {
    if (this.#pending.size === 0) this.#day = this.#options.now()
    const codes = this.#pending.get(network) ?? new Map<ErrorCode, number>()
    if (codes.size === 0 && this.#pending.size >= MAX_PENDING) return
    this.#pending.set(network, codes.set(code, (codes.get(code) ?? 0) + 1))
  }

  /** Writes what is counted. Never rejects: what can't be written is lost, since it would hold addresses in memory. */
  write(): Promise<void> {
    this.#writing = this.#writing.then(() => this.#write())
    return this.#writing
  }

  async close(): Promise<void> {
    clearInterval(this.#timer)
    await this.write()
  }

  async #write(): Promise<void> {
    if (this.#pending.size === 0) return
    const { database, onFault } = this.#options
    const [pending, time] = [this.#pending, this.#day]
    this.#pending = new Map()
    const day = Math.floor(time / DAY_MS)
    try {
      const rows: NetworkRejection[] = []
      for (const [address, codes] of mostRejected(pending)) {
        const network = await this.#keys.keyOf(address, time)
        for (const [code, count] of codes) rows.push({ day, network, code, count })
      }
      await addNetworkRejections(database, rows)
      await trimNetworkRejections(database, day, STORED)
    } catch (cause) {
      onFault('Writing the rejections of networks failed; those of the last seconds are not counted', cause)
    }
  }
}

function mostRejected(pending: ReadonlyMap<string, Map<ErrorCode, number>>): [string, Map<ErrorCode, number>][] {
  if (pending.size <= MAX_WRITTEN) return [...pending]
  const totalOf = ([, codes]: [string, Map<ErrorCode, number>]) => [...codes.values()].reduce((sum, count) => sum + count, 0)
  return [...pending].toSorted((one, other) => totalOf(other) - totalOf(one)).slice(0, MAX_WRITTEN)
}
