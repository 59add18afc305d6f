/** A bounded number of places for work that holds much, one for each owner. */
export class Places {
  readonly #owners = new Set<string>()
  readonly #max: number

  constructor(max: number) {
    this.#max = max
  }

  /** Takes a place; returns how to give it back, or undefined when all are taken or this owner has one. */
  take(owner: string): (() => void) | undefined {
    if (this.#owners.size >= this.#max || this.#owners.has(owner)) return undefined
    this.#owners.add(owner)
    return () => this.#owners.delete(owner)
  }
}
