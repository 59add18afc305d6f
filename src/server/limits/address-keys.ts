import { createHmac, randomBytes } from 'node:crypto'
import type { Database } from '../store/engine/database.ts'
import { saltOfDay } from '../store/turns/quotas.ts'

const DAY_MS = 24 * 60 * 60 * 1000
const SALT_BYTES = 32
const KEY_CHARACTERS = 32

/** Pseudonyms of networks: HMACs under a random daily salt that processes share and that is deleted after two days. */
export class AddressKeys {
  readonly #database: Database
  #day = -1
  #salt: Promise<string> = Promise.resolve('')

  constructor(database: Database) {
    this.#database = database
  }

  /** @param now Milliseconds since the epoch. */
  async keyOf(network: string, now: number): Promise<string> {
    const salt = await this.#saltAt(now)
    return createHmac('sha256', salt).update(network).digest('hex').slice(0, KEY_CHARACTERS)
  }

  #saltAt(now: number): Promise<string> {
    const day = Math.floor(now / DAY_MS)
    if (day === this.#day) return this.#salt
    const salt = saltOfDay(this.#database, day, randomBytes(SALT_BYTES).toString('base64url'))
    this.#day = day
    this.#salt = salt
    // A failed read is retried by the next caller.
    salt.catch(() => {
      if (this.#salt === salt) this.#day = -1
    })
    return salt
  }
}
