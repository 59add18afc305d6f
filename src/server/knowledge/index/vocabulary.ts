export class Vocabulary {
  readonly #numbers = new Map<string, number>()
  readonly #terms: string[] = []
  /** Numbers of terms by their first letter, which people rarely mistype. */
  readonly #byLetter = new Map<string, number[]>()

  constructor(terms: readonly string[] = []) {
    for (const term of terms) this.add(term)
  }

  get terms(): readonly string[] {
    return this.#terms
  }

  numberOf(term: string): number | undefined {
    return this.#numbers.get(term)
  }

  add(term: string): number {
    const known = this.#numbers.get(term)
    if (known !== undefined) return known
    const number = this.#terms.length
    this.#numbers.set(term, number)
    this.#terms.push(term)
    const letter = term.slice(0, 1)
    const numbers = this.#byLetter.get(letter)
    if (numbers) numbers.push(number)
    else this.#byLetter.set(letter, [number])
    return number
  }

  /** Known terms that begin with this one or differ by a typo, most frequent first within the closest kind. */
  near(term: string, frequencyOf: (number: number) => number, limit: number): { term: string; kind: 'prefix' | 'fuzzy' }[] {
    const near: { term: string; kind: 'prefix' | 'fuzzy'; distance: number; frequency: number }[] = []
    const allowed = term.length >= LONG_TERM_CHARACTERS ? 2 : 1
    for (const number of this.#byLetter.get(term.slice(0, 1)) ?? []) {
      const known = this.#terms[number] as string
      const frequency = frequencyOf(number)
      if (frequency === 0) continue
      const isPrefix = known.startsWith(term)
      const distance = isPrefix ? 0 : editDistance(term, known, allowed)
      if (distance <= allowed) near.push({ term: known, kind: isPrefix ? 'prefix' : 'fuzzy', distance, frequency })
    }
    return near
      .toSorted((one, other) => one.distance - other.distance || other.frequency - one.frequency)
      .slice(0, limit)
      .map(({ term: known, kind }) => ({ term: known, kind }))
  }
}

const LONG_TERM_CHARACTERS = 8

/** Damerau-Levenshtein distance (adjacent letters swapped count once); more than `max` as soon as that is certain. */
export function editDistance(one: string, other: string, max: number): number {
  if (Math.abs(one.length - other.length) > max) return max + 1
  let beforePrevious: number[] = []
  let previous = Array.from({ length: other.length + 1 }, (_, index) => index)
  for (let row = 1; row <= one.length; row += 1) {
    const current = [row]
    let least = row
    for (let column = 1; column <= other.length; column += 1) {
      const isSame = one[row - 1] === other[column - 1]
      let distance = Math.min(
        (previous[column - 1] as number) + (isSame ? 0 : 1),
        (previous[column] as number) + 1,
        (current[column - 1] as number) + 1,
      )
      if (row > 1 && column > 1 && one[row - 1] === other[column - 2] && one[row - 2] === other[column - 1])
        distance = Math.min(distance, (beforePrevious[column - 2] as number) + 1)
      current.push(distance)
      least = Math.min(least, distance)
    }
    if (least > max) return max + 1
    beforePrevious = previous
    previous = current
  }
  return previous[other.length] as number
}
