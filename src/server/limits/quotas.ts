import type { RateLimit } from '../../contract/rejection.ts'
import type { Database } from '../store/database.ts'
import { countDown, countUp, type QuotaCount, readCounts } from '../store/quotas.ts'
import { CountsInMemory } from './memory-counters.ts'
import { type Quota, type Scope, WINDOWS_MS } from './limit-settings.ts'

/** Who something is counted for, by scope; null is not counted. What stands here is stored: it must tell nobody anything. */
export type Subjects = Record<Exclude<Scope, 'server'>, string | null>

/** A quota, how much of it has been used, and when it begins anew, in milliseconds since the epoch. */
export interface Usage {
  quota: Quota
  used: number
  endsAt: number
}

/** The visitor's own limits. Those of networks stay private: they would reveal how busy the neighbours are. */
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

/** While the database is away, so much of each limit is left, in memory. */
const SHARE_WITHOUT_STORE = 0.5

/**
 * Counts what is limited in a window of time, in the database, so that it holds over restarts and for all processes.
 * A request over one of its quotas uses none of the others: who shares a network with somebody greedy keeps their own.
 */
export class Quotas {
  readonly #options: QuotasOptions
  readonly #memory = new CountsInMemory()
  /** What can be used once, apart: a flood of addresses must not use it up. */
  readonly #usedHere = new CountsInMemory()

  constructor(options: QuotasOptions) {
    this.#options = options
  }

  async use(quotas: readonly Quota[], subjects: Subjects): Promise<QuotaOutcome> {
    const counts = this.#countsOf(quotas, subjects)
    if (counts.length === 0) return NOTHING_USED
    const { database } = this.#options
    try {
      const outcome = judge(counts, await countUp(database, counts))
      if (outcome.kind === 'over') await countDown(database, keysOf(counts))
      return outcome
    } catch (error) {
      this.#options.onFault('Counting quotas in the database failed; counting in memory', error)
      return this.#useInMemory(counts)
    }
  }

  /** The same in the caller's transaction, which is to be rolled back when it is over: then nothing has been used. */
  async useWithin(transaction: Database, quotas: readonly Quota[], subjects: Subjects): Promise<QuotaOutcome> {
    const counts = this.#countsOf(quotas, subjects)
    return counts.length === 0 ? NOTHING_USED : judge(counts, await countUp(transaction, counts))
  }

  /** What using them would come to. While the database is away it uses them, in memory: what comes next costs something, though it cannot be stored. */
  async check(quotas: readonly Quota[], subjects: Subjects): Promise<QuotaOutcome> {
    try {
      const usages = await this.readUsage(quotas, subjects)
      return outcomeOf(usages.map((usage) => ({ ...usage, used: usage.used + 1 })))
    } catch (error) {
      this.#options.onFault('Counting quotas in the database failed; counting in memory', error)
      return this.#useInMemory(this.#countsOf(quotas, subjects))
    }
  }

  /** Uses what can be used once; returns how to undo that, or undefined when it has been used already. Without the database this process alone knows. */
  async useOnce(count: QuotaCount): Promise<(() => Promise<void>) | undefined> {
    const { database, now, onFault } = this.#options
    const isFirst = (numbers: Map<string, number>) => numbers.get(count.key) === 1
    const forget = () => this.#usedHere.down([count.key])
    // Here first: what the database has just counted must be known when it cannot be used a moment later.
    if (!isFirst(this.#usedHere.up([count], now()))) {
      forget()
      return undefined
    }
    try {
      const isFirstOfAll = isFirst(await countUp(database, [count]))
      const takeBack = async () => {
        forget()
        await countDown(database, [count.key])
      }
      if (isFirstOfAll) return takeBack
      await takeBack()
      return undefined
    } catch (error) {
      onFault('Counting quotas in the database failed; counting in memory', error)
      return async () => forget()
    }
  }

  /** Counts in memory alone: for what is frequent and costs little. */
  useLightly(quotas: readonly Quota[], subjects: Subjects): QuotaOutcome {
    const counts = this.#countsOf(quotas, subjects)
    return judge(counts, this.#memory.up(counts, this.#options.now()))
  }

  /** What has been used, without using any. */
  async readUsage(quotas: readonly Quota[], subjects: Subjects): Promise<Usage[]> {
    const counts = this.#countsOf(quotas, subjects)
    if (counts.length === 0) return []
    return usagesOf(counts, await readCounts(this.#options.database, keysOf(counts)))
  }

  #useInMemory(counts: readonly Count[]): QuotaOutcome {
    const outcome = judge(counts, this.#memory.up(counts, this.#options.now()), SHARE_WITHOUT_STORE)
    if (outcome.kind === 'over') this.#memory.down(keysOf(counts))
    return outcome
  }

  #countsOf(quotas: readonly Quota[], subjects: Subjects): Count[] {
    const now = this.#options.now()
    return quotas.flatMap((quota) => {
      const subject = quota.of === 'server' ? 'all' : subjects[quota.of]
      if (subject === null) return []
      const length = WINDOWS_MS[quota.window]
      const start = Math.floor(now / length) * length
      return [{ quota, key: `${quota.what}:${quota.of}:${subject}:${quota.window}:${start}`, endsAt: start + length }]
    })
  }
}

type Count = QuotaCount & { quota: Quota }

const NOTHING_USED: QuotaOutcome = { kind: 'within', usages: [] }

function keysOf(counts: readonly Count[]): string[] {
  return counts.map(({ key }) => key)
}

function judge(counts: readonly Count[], numbers: Map<string, number>, share = 1): QuotaOutcome {
  return outcomeOf(usagesOf(counts, numbers), share)
}

function outcomeOf(usages: Usage[], share = 1): QuotaOutcome {
  const over = usages.filter(({ quota, used }) => used > quota.limit * share)
  // Of several that are used up the visitor hears of the one that takes longest.
  const [usage] = over.toSorted((one, other) => other.endsAt - one.endsAt)
  return usage ? { kind: 'over', usage, usages } : { kind: 'within', usages }
}

function usagesOf(counts: readonly Count[], numbers: Map<string, number>): Usage[] {
  return counts.map(({ quota, key, endsAt }) => ({ quota, used: numbers.get(key) ?? 0, endsAt }))
}
