import { type Terms, wordsOf } from './terms.ts'

const MAX_LINES = 5_000
const MAX_WORDS_A_LINE = 50

/** Words that mean the same here, as the operator says: a line each, with commas between them; `#` begins a remark. */
export class Synonyms {
  readonly #groups = new Map<string, Set<string>>()

  constructor(terms: Terms, text = '') {
    for (const line of text.split('\n').slice(0, MAX_LINES)) {
      const group = new Set(
        wordsOf(line.replace(/#.*/, ''))
          .slice(0, MAX_WORDS_A_LINE)
          .flatMap((word) => terms.of(word)),
      )
      for (const term of group) this.#groups.set(term, new Set([...group, ...(this.#groups.get(term) ?? [])]))
    }
  }

  /** The terms of a word, and those of the words that mean the same. */
  expand(terms: readonly string[]): string[] {
    return [...new Set([...terms, ...terms.flatMap((term) => [...(this.#groups.get(term) ?? [])])])]
  }
}
