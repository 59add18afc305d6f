import { hkdfSync } from 'node:crypto'
import { EncryptJWT, jwtDecrypt } from 'jose'
import { z } from 'zod'
import { ATTEMPT_LIFE_S } from '../../../contract/size-limits.ts'

/** What the way back is checked against; one browser's, for one sign-in. */
const Attempt = z.object({
  state: z.string(),
  nonce: z.string(),
  /** PKCE's secret, RFC 7636. */
  verifier: z.string(),
  /** Where the provider was told to send the visitor back. */
  redirectUri: z.string(),
})
export type Attempt = z.infer<typeof Attempt>

/**
 * Seals attempts for a cookie and opens them again: nothing is stored here before somebody has signed in.
 * Encrypted and authenticated (a JWE, `dir` with A256GCM) under a key of its own, derived from the installation's.
 */
export class AttemptSeal {
  readonly #key: Uint8Array
  readonly #now: () => number

  constructor(installationKey: string, now: () => number) {
    this.#key = new Uint8Array(hkdfSync('sha256', installationKey, '', 'parley sign-in attempt', 32))
    this.#now = now
  }

  seal(attempt: Attempt): Promise<string> {
    const issuedAtS = Math.floor(this.#now() / 1000)
    return new EncryptJWT(attempt)
      .setProtectedHeader({ alg: 'dir', enc: 'A256GCM' })
      .setIssuedAt(issuedAtS)
      .setExpirationTime(issuedAtS + ATTEMPT_LIFE_S)
      .encrypt(this.#key)
  }

  /** The attempt; undefined when it is none of ours, was changed, or is too old. */
  async open(sealed: string): Promise<Attempt | undefined> {
    try {
      const options = { currentDate: new Date(this.#now()), keyManagementAlgorithms: ['dir'], contentEncryptionAlgorithms: ['A256GCM'] }
      const { payload } = await jwtDecrypt(sealed, this.#key, { ...options, requiredClaims: ['exp'] })
      return Attempt.parse(payload)
    } catch {
      return undefined
    }
  }
}
