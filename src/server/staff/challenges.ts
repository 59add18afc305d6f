/** How long a challenge works. */
const LIFETIME_MS = 5 * 60_000
/** More than staff can use at a time; the oldest is forgotten first. */
const MAX_CHALLENGES = 1_000

/** Challenges that were given out, each with whom it is for. A challenge works once. */
export class Challenges {
  readonly #open = new Map<string, { subject: string; expiresAt: number }>()
  readonly #now: () => number

  constructor(now: () => number) {
    this.#now = now
  }

  add(challenge: string, subject: string): void {
    this.#open.set(challenge, { subject, expiresAt: this.#now() + LIFETIME_MS })
    const [oldest] = this.#open.keys()
    if (this.#open.size > MAX_CHALLENGES && oldest !== undefined) this.#open.delete(oldest)
  }

  /** Uses a challenge. Returns whom it is for; `undefined` if it is unknown, used or expired. */
  take(challenge: string): string | undefined {
    const found = this.#open.get(challenge)
    this.#open.delete(challenge)
    return found && found.expiresAt > this.#now() ? found.subject : undefined
  }
}
