import type { RateLimit } from '../../contract/rejection.ts'
import { type Database, isEmbedded } from '../store/engine/database.ts'
import { countDown, countUp, type QuotaCount, readCounts, SHARDS } from '../store/turns/quotas.ts'
import { CountsInMemory } from './memory-counters.ts'
import { type Quota, type Scope, WINDOWS_MS } from './limit-settings.ts'

/** Subjects of a count by scope; null is not counted. Stored, so they must be pseudonyms. */
export type Subjects = Record<Exclude<Scope, 'server'>, string | null>

/** Nobody's own: answers that only the installation's limits bound. */
export const NO_SUBJECTS: Subjects = { visitor: null, network: null, wide: null }

/** A quota, its usage, and when it resets, in milliseconds since the epoch. */
export interface Usage {
  quota: Quota
  used: number
  endsAt: number
}

/** The visitor's own limits. Network usage stays private, since it reveals the neighbours' activity. */
export function rateLimitsOf(usages: readonly Usage[]): RateLimit[] {
  return usages
    .filter(({ quota }) => quota.of === 'visitor')
    .map(({ quota: { window, limit }, used, endsAt }) => ({ window, limit, used, endsAt }))
}

export type QuotaOutcome = { kind: 'within'; usages: Usage[] } | { kind: 'over'; usage: Usage; usages: Usage[] }

export interface QuotasOptions {
  database: Database
  /** Milliseconds since the epoch; must not jump. */
  now: () => number
  onFault: (message: string, cause: unknown) => void
}

/** Share of each limit during a database outage, counted in memory. */
const SHARE_WITHOUT_STORE = 0.5
/** Below it, a counter that all visitors share is exact, and they wait for each other. */
const MIN_SHARDED_LIMIT = 1_000

/** Counts quotas in the database. A request over one quota uses none of the others, so visitors of a busy network keep their own. */
export class Quotas {
  readonly #options: QuotasOptions
  readonly #memory = new CountsInMemory()
  /** Separate counters for single-use values, so a flood of addresses can't displace them. */
  readonly #usedHere = new CountsInMemory()
  #lastShard = 0

  constructor(options: QuotasOptions) {
    this.#options = options
  }

  async use(quotas: readonly Quota[], subjects: Subjects): Promise<QuotaOutcome> {
    const counts = this.#countsOf(quotas, subjects)
    if (counts.length === 0) return NOTHING_USED
    const { database } = this.#options
    try {
      const outcome = judge(counts, await countUp(database, counts))
      if (outcome.kind === 'over') await countDown(database, counts)
      return outcome
    } catch (error) {
      this.#options.onFault('Counting quotas in the database failed; counting in memory', error)
      return this.#useInMemory(counts)
    }
  }

  /** Like `use`, in the caller's transaction, which must be rolled back on rejection. */
  async useWithin(transaction: Database, quotas: readonly Quota[], subjects: Subjects): Promise<QuotaOutcome> {
    const counts = this.#countsOf(quotas, subjects)
    return counts.length === 0 ? NOTHING_USED : judge(counts, await countUp(transaction, counts))
  }

  /** The outcome of using quotas, without using them, except in memory during an outage, because the following work has a cost. */
  async check(quotas: readonly Quota[], subjects: Subjects): Promise<QuotaOutcome> {
    try {
      const usages = await this.readUsage(quotas, subjects)
      return outcomeOf(usages.map((usage) => ({ ...usage, used: usage.used + 1 })))
    } catch (error) {
      this.#options.onFault('Counting quotas in the database failed; counting in memory', error)
      return this.#useInMemory(this.#countsOf(quotas, subjects))
    }
  }

  /** Consumes a single-use value. Returns a function that undoes it, or undefined if used already. An outage limits it to this process. */
  async useOnce(count: QuotaCount): Promise<(() => Promise<void>) | undefined> {
    const { database, now, onFault } = this.#options
    const isFirst = (numbers: Map<string, number>) => numbers.get(count.key) === 1
    const forget = () => this.#usedHere.down([count.key])
    // In memory first, so an outage right after a database count is covered.
    if (!isFirst(this.#usedHere.up([count], now()))) {
      forget()
      return undefined
    }
    try {
      const isFirstOfAll = isFirst(await countUp(database, [count]))
      const takeBack = async () => {
        forget()
        await countDown(database, [count])
      }
      if (isFirstOfAll) return takeBack
      await takeBack()
      return undefined
    } catch (error) {
      onFault('Counting quotas in the database failed; counting in memory', error)
      return async () => forget()
    }
  }

  /** Counts in memory only, for frequent cheap actions. */
  useLightly(quotas: readonly Quota[], subjects: Subjects): QuotaOutcome {
    const counts = this.#countsOf(quotas, subjects)
    return judge(counts, this.#memory.up(counts, this.#options.now()))
  }

  async readUsage(quotas: readonly Quota[], subjects: Subjects): Promise<Usage[]> {
    const counts = this.#countsOf(quotas, subjects)
    if (counts.length === 0) return []
    return usagesOf(counts, await readCounts(this.#options.database, counts))
  }

  #useInMemory(counts: readonly Count[]): QuotaOutcome {
    const outcome = judge(counts, this.#memory.up(counts, this.#options.now()), SHARE_WITHOUT_STORE)
    if (outcome.kind === 'over') this.#memory.down(counts.map(({ key }) => key))
    return outcome
  }

  /** The row of a counter that all visitors share; a limit that several transactions at once could exceed noticeably has only one. */
  #shardOf({ of, limit }: Quota): number | undefined {
    if (of !== 'server' || isEmbedded(this.#options.database)) return undefined
    return limit < MIN_SHARDED_LIMIT ? 0 : (this.#lastShard = (this.#lastShard + 1) % SHARDS)
  }

  #countsOf(quotas: readonly Quota[], subjects: Subjects): Count[] {
    const now = this.#options.now()
    return quotas.flatMap((quota) => {
      const subject = quota.of === 'server' ? (quota.embed === undefined ? 'all' : `embed:${quota.embed}`) : subjects[quota.of]
      if (subject === null) return []
      const length = WINDOWS_MS[quota.window]
      const start = Math.floor(now / length) * length
      const key = `${quota.what}:${quota.of}:${subject}:${quota.window}:${start}`
      return [{ quota, key, endsAt: start + length, shard: this.#shardOf(quota) }]
    })
  }
}

type Count = QuotaCount & { quota: Quota }

const NOTHING_USED: QuotaOutcome = { kind: 'within', usages: [] }

function judge(counts: readonly Count[], numbers: Map<string, number>, share = 1): QuotaOutcome {
  return outcomeOf(usagesOf(counts, numbers), share)
}

function outcomeOf(usages: Usage[], share = 1): QuotaOutcome {
  const over = usages.filter(({ quota, used }) => used > quota.limit * share)
  // Reports the exhausted quota that resets last.
  const [usage] = over.toSorted((one, other) => other.endsAt - one.endsAt)
  return usage ? { kind: 'over', usage, usages } : { kind: 'within', usages }
}

function usagesOf(counts: readonly Count[], numbers: Map<string, number>): Usage[] {
  return counts.map(({ quota, key, endsAt }) => ({ quota, used: numbers.get(key) ?? 0, endsAt }))
}
