import { hkdfSync } from 'node:crypto'
import { EncryptJWT, jwtDecrypt } from 'jose'
import { z } from 'zod'
import { ATTEMPT_LIFE_S } from '../../contract/size-limits.ts'

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
  readonly #key: Uint8Array
  readonly #now: () => number

  constructor(installationKey: string, now: () => number) {
    this.#key = new Uint8Array(hkdfSync('sha256', installationKey, '', 'parley staff sign-in attempt', 32))
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

  /** The attempt; `undefined` if forged, modified or expired. */
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
