import type { NetworkBlock } from '../store/staff/network-blocks.ts'
import { networkKey } from './address-keys.ts'

/** Networks whose pseudonyms are cached. */
const MAX_CACHED = 10_000

/** The networks that staff have blocked. The pseudonym of an address changes daily, so it is computed under the salt of each block. */
export class BlockedNetworks {
  /** End of a block by salt and pseudonym. */
  readonly #ends = new Map<string, Map<string, number>>()
  /** End of the block by network; 0 for those that aren't blocked. */
  readonly #cached = new Map<string, number>()

  constructor(blocks: readonly Pick<NetworkBlock, 'network' | 'salt' | 'endsAt'>[]) {
    for (const { network, salt, endsAt } of blocks) {
      const ends = this.#ends.get(salt) ?? new Map<string, number>()
      this.#ends.set(salt, ends.set(network, endsAt))
    }
  }

  has(network: string, now: number): boolean {
    return this.#ends.size > 0 && this.#endOf(network) > now
  }

  #endOf(network: string): number {
    const cached = this.#cached.get(network)
    if (cached !== undefined) return cached
    const end = Math.max(...[...this.#ends].map(([salt, ends]) => ends.get(networkKey(network, salt)) ?? 0))
    if (this.#cached.size >= MAX_CACHED) this.#cached.clear()
    this.#cached.set(network, end)
    return end
  }
}
