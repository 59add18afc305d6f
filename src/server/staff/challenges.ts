import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import { deriveKeys, type InstallationKeys } from '../keys.ts'
import type { Database } from '../store/engine/database.ts'
import { useChallenge } from '../store/staff/staff-passkeys.ts'

const LIFETIME_MS = 5 * 60_000
const RANDOM_BYTES = 16
const EXPIRY_BYTES = 6
const HASH_BYTES = 32

export interface ChallengesOptions {
  database: Database
  keys: InstallationKeys
  now: () => number
}

/** Challenges that work once, for five minutes, at every process. A keyed hash says until when and for whom; only used ones are stored. */
export class Challenges {
  readonly #options: ChallengesOptions
  readonly #keys: [Buffer, ...Buffer[]]

  constructor(options: ChallengesOptions) {
    this.#options = options
    this.#keys = deriveKeys(options.keys, 'parley staff challenges')
  }

  create(subject: string): Uint8Array<ArrayBuffer> {
    const head = Buffer.concat([randomBytes(RANDOM_BYTES), Buffer.alloc(EXPIRY_BYTES)])
    head.writeUIntBE(this.#options.now() + LIFETIME_MS, RANDOM_BYTES, EXPIRY_BYTES)
    return new Uint8Array(Buffer.concat([head, hashOf(this.#keys[0], head, subject)]))
  }

  /** Uses a challenge, in base64url; `false` if it was not made for this subject, was used or has expired. */
  async take(challenge: string, subject: string): Promise<boolean> {
    const bytes = Buffer.from(challenge, 'base64url')
    if (bytes.length !== RANDOM_BYTES + EXPIRY_BYTES + HASH_BYTES) return false
    const head = bytes.subarray(0, RANDOM_BYTES + EXPIRY_BYTES)
    if (!this.#keys.some((key) => timingSafeEqual(bytes.subarray(head.length), hashOf(key, head, subject)))) return false
    const { database, now } = this.#options
    const expiresAt = head.readUIntBE(RANDOM_BYTES, EXPIRY_BYTES)
    return expiresAt > now() && useChallenge(database, { random: head.toString('base64url'), expiresAt }, now())
  }
}

function hashOf(key: Buffer, head: Buffer, subject: string): Buffer {
  return createHmac('sha256', key).update(head).update(subject).digest()
}
