/** Values of a label up to a number; later ones become `other`, so that the series stay bounded. */
export class BoundedLabels {
  readonly #max: number
  readonly #known = new Set<string>()

  constructor(max: number) {
    this.#max = max
  }

  of(value: string): string {
    if (this.#known.has(value)) return value
    if (this.#known.size >= this.#max) return 'other'
    this.#known.add(value)
    return value
  }
}
