import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto'
import type { InstallationKeys } from '../keys.ts'
import type { Database } from '../store/engine/database.ts'
import { findSealedKey } from '../store/visitors/visitors.ts'
import { hashOfVisitorKey } from './visitor-key.ts'

/** Time after its creation in which an unused key can be recovered. */
export const RECOVERABLE_MS = 10 * 60 * 1000
const ALGORITHM = 'aes-256-gcm'
const [KEY_BYTES, NONCE_BYTES, TAG_BYTES] = [32, 12, 16]

export interface FirstKeysOptions {
  database: Database
  keys: InstallationKeys
  now: () => number
}

/** Identifies a repeated request. Only a hash of the idempotency key is stored. */
export interface RepeatedRequest {
  idempotencyKey: string
  network: string
}

/**
 * Stores the key of a new visitor for a repetition of the first request, in case its reply was lost: encrypted with a key derived from
 * the idempotency key, bound to the network, and until the visitor key is first used.
 */
export class FirstKeys {
  readonly #options: FirstKeysOptions

  constructor(options: FirstKeysOptions) {
    this.#options = options
  }

  /** Encrypts the visitor key for storage with its visitor; base64url. */
  seal(visitorKey: string, request: RepeatedRequest): string {
    const nonce = randomBytes(NONCE_BYTES)
    const cipher = createCipheriv(ALGORITHM, encryptionKeyOf(request, this.#options.keys[0]), nonce).setAAD(Buffer.from(request.network))
    const encrypted = Buffer.concat([cipher.update(visitorKey, 'utf8'), cipher.final()])
    return Buffer.concat([nonce, cipher.getAuthTag(), encrypted]).toString('base64url')
  }

  /** The key of the session's visitor, if the request repeats their first one; `null` otherwise. */
  async recover(session: string, request: RepeatedRequest): Promise<string | null> {
    const { database, now } = this.#options
    const found = await findSealedKey(database, session, now() - RECOVERABLE_MS)
    const opened = found && this.#options.keys.map((key) => open(found.sealedKey, request, key)).find((key) => key !== null)
    return opened && hashOfVisitorKey(opened) === found.keyHash ? opened : null
  }
}

function open(sealedKey: string, request: RepeatedRequest, installationKey: string): string | null {
  const bytes = Buffer.from(sealedKey, 'base64url')
  const nonce = bytes.subarray(0, NONCE_BYTES)
  const decipher = createDecipheriv(ALGORITHM, encryptionKeyOf(request, installationKey), nonce, { authTagLength: TAG_BYTES })
  decipher.setAAD(Buffer.from(request.network)).setAuthTag(bytes.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES))
  try {
    return Buffer.concat([decipher.update(bytes.subarray(NONCE_BYTES + TAG_BYTES)), decipher.final()]).toString()
  } catch {
    // Another idempotency key, network or installation key: the authentication tag does not match.
    return null
  }
}

function encryptionKeyOf({ idempotencyKey }: RepeatedRequest, installationKey: string): Buffer {
  return Buffer.from(hkdfSync('sha256', idempotencyKey, installationKey, 'first visitor key', KEY_BYTES))
}
