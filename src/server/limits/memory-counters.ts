import type { QuotaCount } from '../store/turns/quotas.ts'

/** Limit of counters. Beyond it, new keys share one, so a flood of addresses is limited without using memory. */
const MAX_COUNTS = 100_000
const EVERYBODY_ELSE = 'everybody else'

/** In-memory counters, for frequent actions and for database outages. */
export class CountsInMemory {
  readonly #counts = new Map<string, { count: number; endsAt: number }>()
  readonly #max: number

  constructor(max = MAX_COUNTS) {
    this.#max = max
  }

  up(counts: readonly QuotaCount[], now: number): Map<string, number> {
    return new Map(counts.map((count) => [count.key, this.#add(count, now)]))
  }

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
