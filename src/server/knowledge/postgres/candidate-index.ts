import type { Analyzer } from '../index/analyzer.ts'
import { KnowledgeIndex } from '../index/knowledge-index.ts'
import { Vocabulary } from '../index/vocabulary.ts'
import type { Passage } from '../ingestion/passages.ts'
import type { FoundRow, SharedState } from './shared-store.ts'

/** What is known of the shared vocabulary, and what is still to be asked for. */
export class KnownTerms {
  readonly frequencies = new Map<string, number>()
  readonly #near = new Map<string, { vocabulary: Vocabulary; frequencies: number[] }>()
  readonly wanted = new Set<string>()
  readonly wantedNear = new Set<string>()

  learn(terms: readonly (readonly [term: string, frequency: number])[]): void {
    for (const [term, frequency] of terms) this.frequencies.set(term, frequency)
  }

  learnNear(term: string, terms: readonly (readonly [term: string, frequency: number])[]): void {
    this.learn(terms)
    const vocabulary = new Vocabulary(terms.map(([known]) => known))
    this.#near.set(term, { vocabulary, frequencies: terms.map(([, frequency]) => frequency) })
  }

  frequencyOf(term: string): number {
    const frequency = this.frequencies.get(term)
    if (frequency === undefined) this.wanted.add(term)
    return frequency ?? 0
  }

  near(term: string, limit: number): { term: string; kind: 'prefix' | 'fuzzy' }[] {
    const known = this.#near.get(term)
    if (!known) this.wantedNear.add(term)
    return known?.vocabulary.near(term, (number) => known.frequencies[number] ?? 0, limit) ?? []
  }
}

/** Some passages of the shared index, ranked by the statistics of all. */
export class CandidateIndex extends KnowledgeIndex {
  readonly #state: SharedState
  readonly #known: KnownTerms

  constructor(analyzer: Analyzer, state: SharedState, known: KnownTerms) {
    super(analyzer)
    this.#state = state
    this.#known = known
    this.useSynonyms(state.synonyms)
  }

  override get size(): number {
    return this.#state.passages
  }

  override get averageLength(): number {
    return Math.max(1, this.#state.totalLength / Math.max(1, this.#state.passages))
  }

  override frequencyOf(term: string): number {
    return this.#known.frequencyOf(term)
  }

  override near(term: string, limit: number): { term: string; kind: 'prefix' | 'fuzzy' }[] {
    return this.#known.near(term, limit)
  }

  /** Adds passages of any documents, in any order and once each. Those that are not next to each other stay so. */
  addRows(rows: readonly FoundRow[]): void {
    // In the order in which files are listed: it decides between equal scores.
    for (const [, found] of [...Map.groupBy(rows, ({ passage }) => passage.file)].toSorted(([one], [other]) => (one < other ? -1 : 1))) {
      const byOrdinal = new Map(found.map((row) => [row.ordinal, row]))
      const inOrder = [...byOrdinal.values()].toSorted((one, other) => one.ordinal - other.ordinal)
      this.add(
        inOrder.flatMap(({ ordinal, passage }, index) =>
          ordinal === (inOrder[index - 1]?.ordinal ?? ordinal - 1) + 1 ? passage : [gapBefore(passage, index), passage],
        ),
      )
    }
  }
}

/** Stands for the passages that are not among the candidates. It has no words. */
function gapBefore({ file, title, address, asOf }: Passage, index: number): Passage {
  return { file, title, address, asOf, heading: title, path: [], text: '·'.repeat(index + 1), place: null, keywords: '', subheadings: [] }
}
