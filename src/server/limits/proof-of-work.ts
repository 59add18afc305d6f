import { createHash, createHmac, randomInt } from 'node:crypto'
import { createChallenge, verifySolution } from 'altcha-lib'
import { deriveKey } from 'altcha-lib/algorithms/pbkdf2'
import type { Challenge, SolvedChallenge } from '../../contract/proof-of-work.ts'
import type { InstallationKeys } from '../keys.ts'
import type { Quotas } from './quotas.ts'

export const CHALLENGE_LIFE_MS = 5 * 60_000
/** Rounds per key, about a millisecond. The server derives one key per challenge and none to verify it. */
const ROUNDS = 5_000
/** Number of keys to derive: half a second on a desktop, some seconds on an old phone. */
const FEWEST_KEYS = 300
const MOST_KEYS = 900
const NAME_CHARACTERS = 32

export interface ProofOfWorkOptions {
  keys: InstallationKeys
  quotas: Pick<Quotas, 'useOnce'>
  now: () => number
}

/** Proof of work with ALTCHA challenges, each bound to one network, valid for minutes and for one use. */
export class ProofOfWork {
  readonly #options: ProofOfWorkOptions

  constructor(options: ProofOfWorkOptions) {
    this.#options = options
  }

  /** @param addressKey Pseudonym of the network that must solve it. */
  async challenge(addressKey: string): Promise<Challenge> {
    const expires = Math.floor((this.#options.now() + CHALLENGE_LIFE_MS) / 1000)
    const challenge = await createChallenge({
      algorithm: 'PBKDF2/SHA-256',
      cost: ROUNDS,
      counter: randomInt(FEWEST_KEYS, MOST_KEYS + 1),
      // Not ALTCHA's `expiresAt`, which uses a clock that may jump.
      data: { expires, most: MOST_KEYS },
      deriveKey,
      ...secretsFor(this.#options.keys[0], addressKey),
    })
    return challenge as Challenge
  }

  /** Consumes a solved challenge. Returns a function that undoes it, or undefined if it is wrong, expired, foreign or used. */
  async accept({ challenge, solution }: SolvedChallenge, addressKey: string): Promise<(() => Promise<void>) | undefined> {
    const endsAt = challenge.parameters.data.expires * 1000
    if (endsAt <= this.#options.now()) return undefined
    // ALTCHA clients send the counter too; only the key matters.
    const given = { challenge, solution: { counter: solution.counter, derivedKey: solution.derivedKey }, deriveKey }
    const checks = this.#options.keys.map((key) => verifySolution({ ...given, ...secretsFor(key, addressKey) }))
    if (!(await Promise.all(checks)).some(({ verified }) => verified)) return undefined
    const name = createHash('sha256').update(challenge.signature).digest('hex').slice(0, NAME_CHARACTERS)
    return this.#options.quotas.useOnce({ key: `proof:${name}`, endsAt })
  }
}

/** Each network has its own signing key, so a challenge contains no address. */
function secretsFor(key: string, addressKey: string) {
  const secret = (what: string) => createHmac('sha256', key).update(`proof-of-work:${what}:${addressKey}`).digest('hex')
  return { hmacSignatureSecret: secret('challenge'), hmacKeySignatureSecret: secret('key') }
}
