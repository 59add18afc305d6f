import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto'
import type { Database } from '../store/database.ts'
import { findSealedKey } from '../store/visitors.ts'
import { hashOfVisitorKey } from './visitor-key.ts'

/** How long after it was made an unused key can be recovered. */
export const RECOVERABLE_MS = 10 * 60 * 1000
const ALGORITHM = 'aes-256-gcm'
const [KEY_BYTES, NONCE_BYTES, TAG_BYTES] = [32, 12, 16]

export interface FirstKeysOptions {
  database: Database
  installationKey: string
  now: () => number
}

/** What a repeated request has in common with the first one. Of the idempotency key only a hash is stored. */
export interface RepeatedRequest {
  idempotencyKey: string
  network: string
}

/**
 * Keeps the key of a new visitor for a repetition of the request that made them, in case the first reply was lost: encrypted under a key
 * derived from the idempotency key, bound to the network, until the visitor key is first used.
 */
export class FirstKeys {
  readonly #options: FirstKeysOptions

  constructor(options: FirstKeysOptions) {
    this.#options = options
  }

  /** The visitor key, encrypted, to be stored with its visitor; base64url. */
  seal(visitorKey: string, request: RepeatedRequest): string {
    const nonce = randomBytes(NONCE_BYTES)
    const cipher = createCipheriv(ALGORITHM, this.#encryptionKeyOf(request), nonce).setAAD(Buffer.from(request.network))
    const encrypted = Buffer.concat([cipher.update(visitorKey, 'utf8'), cipher.final()])
    return Buffer.concat([nonce, cipher.getAuthTag(), encrypted]).toString('base64url')
  }

  /** The key of the visitor who owns the session, if the request repeats the one that made them; null otherwise. */
  async recover(session: string, request: RepeatedRequest): Promise<string | null> {
    const { database, now } = this.#options
    const found = await findSealedKey(database, session, now() - RECOVERABLE_MS)
    const key = found && this.#open(found.sealedKey, request)
    return key && hashOfVisitorKey(key) === found.keyHash ? key : null
  }

  #open(sealedKey: string, request: RepeatedRequest): string | null {
    const bytes = Buffer.from(sealedKey, 'base64url')
    const nonce = bytes.subarray(0, NONCE_BYTES)
    const decipher = createDecipheriv(ALGORITHM, this.#encryptionKeyOf(request), nonce, { authTagLength: TAG_BYTES })
    decipher.setAAD(Buffer.from(request.network)).setAuthTag(bytes.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES))
    try {
      return Buffer.concat([decipher.update(bytes.subarray(NONCE_BYTES + TAG_BYTES)), decipher.final()]).toString()
    } catch {
      // Another idempotency key or network: the authentication tag does not match.
      return null
    }
  }

  #encryptionKeyOf({ idempotencyKey }: RepeatedRequest): Buffer {
    return Buffer.from(hkdfSync('sha256', idempotencyKey, this.#options.installationKey, 'first visitor key', KEY_BYTES))
  }
}
