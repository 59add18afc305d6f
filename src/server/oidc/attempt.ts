import { EncryptJWT, jwtDecrypt } from 'jose'
import { z } from 'zod'
import { ATTEMPT_LIFE_S } from '../../contract/size-limits.ts'
import { deriveKeys, type InstallationKeys } from '../keys.ts'

/** State of one sign-in in one browser, checked in the callback. */
const Attempt = z.object({
  state: z.string(),
  nonce: z.string(),
  /** PKCE code verifier (RFC 7636). */
  verifier: z.string(),
  redirectUri: z.string(),
})
export type Attempt = z.infer<typeof Attempt>

/** Seals attempts into a cookie, so nothing is stored before the sign-in ends: JWE (`dir`, A256GCM) under the installation key. */
export class AttemptSeal {
  readonly #keys: [Buffer, ...Buffer[]]
  readonly #now: () => number

  constructor(keys: InstallationKeys, now: () => number) {
    this.#keys = deriveKeys(keys, 'parley staff sign-in attempt')
    this.#now = now
  }

  seal(attempt: Attempt): Promise<string> {
    const issuedAtS = Math.floor(this.#now() / 1000)
    return new EncryptJWT(attempt)
      .setProtectedHeader({ alg: 'dir', enc: 'A256GCM' })
      .setIssuedAt(issuedAtS)
      .setExpirationTime(issuedAtS + ATTEMPT_LIFE_S)
      .encrypt(this.#keys[0])
  }

  /** The attempt; `undefined` if forged, modified or expired. */
  async open(sealed: string): Promise<Attempt | undefined> {
    const options = { currentDate: new Date(this.#now()), keyManagementAlgorithms: ['dir'], contentEncryptionAlgorithms: ['A256GCM'] }
    for (const key of this.#keys)
      try {
        const { payload } = await jwtDecrypt(sealed, key, { ...options, requiredClaims: ['exp'] })
        return Attempt.parse(payload)
      } catch {
        // Sealed with another key, or not valid: the next key, or none, opens it.
      }
    return undefined
  }
}
