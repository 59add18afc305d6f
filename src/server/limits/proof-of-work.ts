import { createHash, createHmac, randomInt } from 'node:crypto'
import { createChallenge, verifySolution } from 'altcha-lib'
import { deriveKey } from 'altcha-lib/algorithms/pbkdf2'
import type { Challenge, SolvedChallenge } from '../../contract/proof-of-work.ts'
import type { Quotas } from './quotas.ts'

/** So long a challenge can be solved and sent. */
export const CHALLENGE_LIFE_MS = 5 * 60_000
/** Rounds of one key, about a millisecond; the server makes one for a challenge, and none to check it. */
const ROUNDS = 5_000
/** How many keys have to be made: half a second of a desktop, some seconds of an old phone. */
const FEWEST_KEYS = 300
const MOST_KEYS = 900
const NAME_CHARACTERS = 32

export interface ProofOfWorkOptions {
  installationKey: string
  quotas: Pick<Quotas, 'useOnce'>
  /** Milliseconds since the epoch; must not jump. */
  now: () => number
}

/** Work that a client shows before its prompt is taken: ALTCHA challenges, each for one address, for some minutes, and for one use. */
export class ProofOfWork {
  readonly #options: ProofOfWorkOptions

  constructor(options: ProofOfWorkOptions) {
    this.#options = options
  }

  /** @param addressKey What stands for the network that has to solve it. */
  async challenge(addressKey: string): Promise<Challenge> {
    const expires = Math.floor((this.#options.now() + CHALLENGE_LIFE_MS) / 1000)
    const challenge = await createChallenge({
      algorithm: 'PBKDF2/SHA-256',
      cost: ROUNDS,
      counter: randomInt(FEWEST_KEYS, MOST_KEYS + 1),
      // Not ALTCHA's own `expiresAt`: that goes by a clock that may jump.
      data: { expires, most: MOST_KEYS },
      deriveKey,
      ...this.#secretsFor(addressKey),
    })
    return challenge as Challenge
  }

  /** Uses up a solved challenge; returns how to undo that, or undefined when it is wrong, over, another's, or used already. */
  async accept({ challenge, solution }: SolvedChallenge, addressKey: string): Promise<(() => Promise<void>) | undefined> {
    const endsAt = challenge.parameters.data.expires * 1000
    if (endsAt <= this.#options.now()) return undefined
    const { verified } = await verifySolution({
      challenge,
      // Sent along by ALTCHA's own clients; the key alone tells.
      solution: { counter: solution.counter, derivedKey: solution.derivedKey },
      deriveKey,
      ...this.#secretsFor(addressKey),
    })
    if (!verified) return undefined
    const name = createHash('sha256').update(challenge.signature).digest('hex').slice(0, NAME_CHARACTERS)
    return this.#options.quotas.useOnce({ key: `proof:${name}`, endsAt })
  }

  /** An address is nowhere in a challenge: it has its own signature. */
  #secretsFor(addressKey: string) {
    const secret = (what: string) =>
      createHmac('sha256', this.#options.installationKey).update(`proof-of-work:${what}:${addressKey}`).digest('hex')
    return { hmacSignatureSecret: secret('challenge'), hmacKeySignatureSecret: secret('key') }
  }
}
