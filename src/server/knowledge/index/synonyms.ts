import { type Analyzer, tokensOf } from './analyzer.ts'

const MAX_LINES = 5_000
const MAX_WORDS_A_LINE = 50

/** The operator's synonyms: one group a line, separated by commas; `#` begins a comment. */
export class Synonyms {
  readonly #groups = new Map<string, Set<string>>()

  constructor(analyzer: Analyzer, text = '') {
    for (const line of text.split('\n').slice(0, MAX_LINES)) {
      const group = new Set(
        tokensOf(line.replace(/#.*/, ''))
          .filter((token) => !analyzer.isStopWord(token))
          .slice(0, MAX_WORDS_A_LINE)
          .flatMap((token) => analyzer.stemsOf(token)),
      )
      for (const term of group) this.#groups.set(term, new Set([...group, ...(this.#groups.get(term) ?? [])]))
    }
  }

  /** The terms and all their synonyms. */
  expand(terms: readonly string[]): string[] {
    return [...new Set([...terms, ...terms.flatMap((term) => [...(this.#groups.get(term) ?? [])])])]
  }
}
