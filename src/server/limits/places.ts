/** Somebody who holds places, and how many of them they may hold. */
export interface Holder {
  key: string
  limit: number
}

/** Counts what is going on at the same time, by who does it. What is held is bounded by what can go on. */
export class Places {
  readonly #held = new Map<string, number>()

  /** Takes a place of each holder and returns how to give them back, once; or the holder that has none left. */
  take(holders: readonly Holder[]): (() => void) | { full: Holder } {
    const full = holders.find(({ key, limit }) => (this.#held.get(key) ?? 0) >= limit)
    if (full) return { full }
    for (const { key } of holders) this.#held.set(key, (this.#held.get(key) ?? 0) + 1)
    let isHeld = true
    return () => {
      if (!isHeld) return
      isHeld = false
      for (const { key } of holders) this.#giveBack(key)
    }
  }

  /** How many places are held under a key. */
  heldBy(key: string): number {
    return this.#held.get(key) ?? 0
  }

  #giveBack(key: string): void {
    const left = (this.#held.get(key) ?? 1) - 1
    if (left > 0) this.#held.set(key, left)
    else this.#held.delete(key)
  }
}
