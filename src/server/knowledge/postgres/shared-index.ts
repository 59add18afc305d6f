import { Analyzer } from '../index/analyzer.ts'
import type { StemmerLanguage } from '../../../contract/stemmer-languages.ts'
import type { KnowledgeIndex } from '../index/knowledge-index.ts'
import { inverseFrequency } from '../retrieval/scores.ts'
import { type QueryWord, queryWordsOf } from '../retrieval/query.ts'
import { CandidateIndex, KnownTerms } from './candidate-index.ts'
import type { FoundRow, SharedStore } from './shared-store.ts'

/** Passages that are fetched and ranked for one search. */
const CANDIDATES = 200
/** The commonest terms of a query find no candidates of their own once the rarer ones match so many passages. */
const MAX_MATCHES = 20_000
/** A word that nobody wrote is looked up as a beginning, a typo and a compound, one after the other. */
const MAX_ROUNDS = 4

/** Searches the shared index: what ranks is the code of the index in memory, over the candidates that PostgreSQL finds. */
export class SharedIndex {
  readonly #analyzer: Analyzer
  readonly #store: SharedStore

  private constructor(analyzer: Analyzer, store: SharedStore) {
    this.#analyzer = analyzer
    this.#store = store
  }

  static async open(languages: readonly StemmerLanguage[], store: SharedStore): Promise<SharedIndex> {
    return new SharedIndex(await Analyzer.of(languages), store)
  }

  /** An index of the passages that a query may find: those with its words, and those that `near` resolves with. `near` must not reject. */
  async candidatesFor(
    query: string,
    folders: readonly string[],
    near: Promise<readonly FoundRow[]> = Promise.resolve([]),
  ): Promise<KnowledgeIndex> {
    const state = await this.#store.state()
    const known = new KnownTerms()
    const index = new CandidateIndex(this.#analyzer, state, known)
    let words = queryWordsOf(index, query)
    for (let round = 0; round < MAX_ROUNDS && (await this.#learn(known)); round += 1) words = queryWordsOf(index, query)
    const groups = words.map((word) => groupOf(word, known, state.passages)).filter(({ terms }) => terms.length > 0)
    const anyOf = rarestOf(
      groups.flatMap(({ terms }) => terms),
      known,
    )
    const byWords = anyOf.length > 0 ? await this.#store.candidates({ anyOf, groups, folders, limit: CANDIDATES }) : []
    index.addRows([...byWords, ...(await near)])
    return index
  }

  /** An index of a passage and those around it. */
  async around(id: string, folders: readonly string[], before: number, after: number): Promise<KnowledgeIndex> {
    const index = new CandidateIndex(this.#analyzer, await this.#store.state(), new KnownTerms())
    index.addRows(await this.#store.around(id, folders, before, after))
    return index
  }

  /** Asks for what is not known yet; false when there was nothing to ask. */
  async #learn(known: KnownTerms): Promise<boolean> {
    const [wanted, wantedNear] = [[...known.wanted], [...known.wantedNear]]
    if (wanted.length === 0 && wantedNear.length === 0) return false
    known.wanted.clear()
    known.wantedNear.clear()
    if (wanted.length > 0) {
      known.learn(wanted.map((term) => [term, 0]))
      known.learn(await this.#store.frequencies(wanted))
    }
    for (const term of wantedNear) known.learnNear(term, await this.#store.termsLike(term))
    return true
  }
}

/** About what a word adds to the score of a passage that has it. */
export function groupOf({ terms, weight }: QueryWord, known: KnownTerms, passages: number): { terms: string[]; weight: number } {
  const there = terms.filter(({ term }) => (known.frequencies.get(term) ?? 0) > 0)
  const most = Math.max(0, ...there.map((one) => one.weight * inverseFrequency(passages, known.frequencies.get(one.term) ?? 0)))
  return { terms: there.map(({ term }) => term), weight: weight * most }
}

/** The rarest terms, at least one, as long as they match few enough passages together. */
export function rarestOf(terms: readonly string[], known: KnownTerms): string[] {
  const frequencyOf = (term: string) => known.frequencies.get(term) ?? 0
  let matches = 0
  return [...new Set(terms)]
    .toSorted((one, other) => frequencyOf(one) - frequencyOf(other))
    .filter((term, index) => {
      matches += frequencyOf(term)
      return index === 0 || matches <= MAX_MATCHES
    })
}
