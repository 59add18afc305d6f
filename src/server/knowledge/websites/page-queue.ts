/** Length of all addresses that are remembered: a site may make each very long. */
const MAX_CHARACTERS = 10_000_000

/** Pages that wait to be requested, the nearest to the start first, each once. */
export class PageQueue {
  readonly #levels: string[][] = []
  readonly #seen = new Set<string>()
  readonly #maxSeen: number
  #characters = 0
  /** Addresses that were too many. */
  leftOut = 0

  constructor(maxSeen: number) {
    this.#maxSeen = maxSeen
  }

  has(address: string): boolean {
    return this.#seen.has(address)
  }

  see(address: string): void {
    this.#seen.add(address)
    this.#characters += address.length
  }

  get isFull(): boolean {
    return this.#seen.size >= this.#maxSeen || this.#characters >= MAX_CHARACTERS
  }

  /** Adds an address; `false` if it is known already or one too many. */
  add(address: string, depth: number): boolean {
    if (this.#seen.has(address)) return false
    if (this.isFull) {
      this.leftOut += 1
      return false
    }
    this.see(address)
    ;(this.#levels[depth] ??= []).push(address)
    return true
  }

  take(): { address: string; depth: number } | undefined {
    for (const [depth, addresses] of this.#levels.entries()) {
      const address = addresses?.shift()
      if (address !== undefined) return { address, depth }
    }
    return undefined
  }

  get waiting(): number {
    return this.#levels.reduce((sum, addresses) => sum + (addresses?.length ?? 0), 0)
  }
}
