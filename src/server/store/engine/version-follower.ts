import type { Database } from './database.ts'
import { INITIAL_VERSION, type VersionName } from './installation-facts.ts'

export interface FollowedVersion {
  version: VersionName
  /** A day, say, whose change needs a refresh too. */
  also?: () => string
  /** Reads what has changed, and puts it into force. */
  refresh: () => Promise<void>
  /** Called with the first of consecutive failures. */
  onFault: (cause: unknown) => void
}

/**
 * Puts into force what the database has, now and after each change by any process, with one query for everything that is followed. After a
 * failure, it tries again at the next poll.
 */
export class VersionFollower {
  readonly #database: Database
  readonly #intervalMs: () => number
  readonly #followed: (FollowedVersion & { inForce: string | null; isFaulty: boolean })[] = []
  #timer: NodeJS.Timeout | undefined
  #polling: Promise<void> = Promise.resolve()
  #isClosed = false

  constructor({ database, intervalMs }: { database: Database; intervalMs: () => number }) {
    this.#database = database
    this.#intervalMs = intervalMs
  }

  /** Refreshes at once, and after each change from then on. Never rejects. */
  follow(followed: FollowedVersion): Promise<void> {
    this.#followed.push({ ...followed, inForce: null, isFaulty: false })
    return this.poll()
  }

  /** Polls now. Polls never overlap. Never rejects. */
  readonly poll = (): Promise<void> => {
    clearTimeout(this.#timer)
    if (this.#isClosed) return this.#polling
    this.#timer = setTimeout(() => void this.poll(), this.#intervalMs()).unref()
    this.#polling = this.#polling.then(() => this.#poll())
    return this.#polling
  }

  async close(): Promise<void> {
    this.#isClosed = true
    clearTimeout(this.#timer)
    await this.#polling
  }

  async #poll(): Promise<void> {
    const followed = [...this.#followed]
    if (followed.length === 0) return
    // The versions first: a change in between makes one too old, and it is read again.
    const names = followed.map(({ version }) => version)
    const reading = this.#database.selectFrom('installation_facts').select(['name', 'value']).where('name', 'in', names).execute()
    for (const following of followed) {
      try {
        const stored = (await reading).find(({ name }) => name === following.version)?.value ?? INITIAL_VERSION
        const version = `${stored} ${following.also?.() ?? ''}`
        if (version !== following.inForce) await following.refresh()
        following.inForce = version
        following.isFaulty = false
      } catch (cause) {
        if (!following.isFaulty) following.onFault(cause)
        following.isFaulty = true
      }
    }
  }
}
