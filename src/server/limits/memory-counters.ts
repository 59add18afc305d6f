import type { QuotaCount } from '../store/quotas.ts'

/** Counts kept at most. Beyond them new keys share one count, so that a flood of addresses is limited and not remembered. */
const MAX_COUNTS = 100_000
const EVERYBODY_ELSE = 'everybody else'

/** Counts of one process, for what is too frequent to be stored, and for when the database is away. */
export class CountsInMemory {
  readonly #counts = new Map<string, { count: number; endsAt: number }>()
  readonly #max: number

  constructor(max = MAX_COUNTS) {
    this.#max = max
  }

  /** Adds one to each, and returns what they are now, by key. */
  up(counts: readonly QuotaCount[], now: number): Map<string, number> {
    return new Map(counts.map((count) => [count.key, this.#add(count, now)]))
  }

  /** Takes back one of each. */
  down(keys: readonly string[]): void {
    for (const key of keys) {
      const counted = this.#counts.get(key)
      if (counted && counted.count > 0) counted.count -= 1
    }
  }

  #add({ key, endsAt }: QuotaCount, now: number): number {
    const place = this.#placeOf(key, now)
    const counted = this.#counts.get(place)
    const count = counted && counted.endsAt > now ? counted.count + 1 : 1
    this.#counts.set(place, { count, endsAt: count === 1 ? endsAt : (counted?.endsAt ?? endsAt) })
    return count
  }

  #placeOf(key: string, now: number): string {
    if (this.#counts.has(key) || this.#counts.size < this.#max) return key
    this.#forgetEnded(now)
    return this.#counts.size < this.#max ? key : EVERYBODY_ELSE
  }

  #forgetEnded(now: number): void {
    for (const [key, { endsAt }] of this.#counts) if (endsAt <= now) this.#counts.delete(key)
  }
}
